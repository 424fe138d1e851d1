//! The local page (`umbrail serve`): what it answers, whom it refuses, and that a run survives the death of its process.

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod browser;
mod browser_access;
mod browser_analysis;
mod browser_game;
mod browser_keyboard;
mod cluster;
mod lab;
mod markup;
mod page;
mod play;
mod proof;
mod security;
mod steno;
mod surveys;
mod tables;
mod uploads;
mod webdriver;
