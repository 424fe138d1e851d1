//! `umbrail serve …`: the words of the local page.

use super::help_pages::PAGES;
use clap::Args;
use std::net::IpAddr;
use std::path::PathBuf;
use umbrail::session::Options;
use umbrail_page::Serve as Wish;

/// The default port.
const PORT: u16 = 8642;

/// What `serve` understands.
#[derive(Args)]
#[command(after_help = "Example: umbrail serve --port 0 --no-open")]
pub(super) struct Serve {
    /// Port; 0 chooses a free one
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// Folder of the runs, each in a folder of its own
    #[arg(long, value_name = "FOLDER", default_value = "umbrail-page")]
    dir: PathBuf,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Also serve other machines on this address; a browser then needs the token
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// Access token, 8 to 64 letters and digits (generated if --listen is given without one)
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// Folder of the laboratory whose results are shown
    #[arg(long, value_name = "FOLDER", default_value = "lab")]
    lab: PathBuf,
}

pub(super) fn run(serve: Serve, options: Options) -> u8 {
    let Serve { port, dir, no_open, listen, token, lab } = serve;
    let help = PAGES;
    umbrail_page::serve(
        Wish { port, folder: dir, open: !no_open, listen, token, lab, help },
        options,
    )
}
