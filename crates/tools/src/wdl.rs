//! `umbrail wdl`: the win, draw and loss probabilities of a score, fitted to games.

use super::records::ToolRecord;
use clap::Args;
use std::path::PathBuf;
use umbrail_search::WIN_MODEL;
use umbrail_server::{complain, print_record};
use umbrail_training::fit_wins;

/// What to fit to.
#[derive(Args)]
#[command(after_help = "Example: umbrail wdl games")]
pub struct Wdl {
    /// Game files and folders of them
    #[arg(value_name = "FILE", default_value = "games")]
    data: Vec<PathBuf>,
}

/// Fits and prints the model, and its values for some material.
pub fn run(wish: Wdl) -> u8 {
    let fitted = match fit_wins(&wish.data, &WIN_MODEL) {
        Ok(fitted) => fitted,
        Err(error) => return complain(&error.to_string()),
    };
    let (games, positions) = fitted.counted;
    let (before, after) = fitted.losses;
    let list = |p: [f64; 4]| p.map(|it| format!("{it:.3}")).join(", ");
    let mut text = format!(
        "{games} games, {positions} positions; loss {before:.6} by the model in force, {after:.6} by this one\n\
         even: [{}],\nwidth: [{}],\n",
        list(fitted.model.even),
        list(fitted.model.width)
    );
    for pieces in [17, 30, 44, 58, 68, 78] {
        let (even, width) = fitted.model.at(pieces);
        text.push_str(&format!(
            "material {pieces}: even at {even:.0} centipawns, width {width:.0}\n"
        ));
    }
    let record = ToolRecord::WinModel {
        games,
        positions,
        loss_before: before,
        loss: after,
        even: fitted.model.even,
        width: fitted.model.width,
    };
    print_record(&record, &text)
}
