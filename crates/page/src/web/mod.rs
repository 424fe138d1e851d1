//! The page as a web server: its address, its access control, and its static files.

mod address;
mod assets;
mod connections;
mod guard;

pub(super) use address::{Address, LOOPBACK};
pub(super) use assets::{asset, asset_address, versioned_asset};
pub(super) use connections::{accept, converse};
pub(super) use guard::{UPLOAD, guard};
