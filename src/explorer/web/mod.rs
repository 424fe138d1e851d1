//! The page as a web server: where it listens, whom it answers, and with what kept files.

mod address;
mod assets;
mod connections;
mod guard;

pub(super) use address::{Address, LOOPBACK};
pub(super) use assets::{asset, asset_address, versioned_asset};
pub(super) use connections::{accept, converse};
pub(super) use guard::{UPLOAD, guard};
