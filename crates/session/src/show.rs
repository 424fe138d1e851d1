//! Information shown to a person: the board, the evaluation, the license. Help is in `help.rs`.

use super::Session;
use super::command::Show;
use super::event::{Event, Offer};
use super::help;
use super::options::{Options, specs};
use umbrail_chess::Position;
use umbrail_chess::geometry::{Setup, Square};
use umbrail_search as search;

const LICENSE: &str = "\
Umbrail is free software: you can redistribute it and change it under the terms of the GNU General
Public License, version 3 or later. It comes WITHOUT ANY WARRANTY. The file LICENSE in its source, or
https://www.gnu.org/licenses/, has the terms.";

impl Session {
    pub(super) fn show(&mut self, show: Show) {
        let page = match show {
            Show::Options => {
                let offers = offers(&self.options);
                return self.write(Event::Settings(offers));
            }
            Show::Board => board(&self.game.setup(), self.game.position().ok()),
            Show::Eval => match self.game.position() {
                Ok(position) => {
                    let value = self.engine.evaluate(position, &self.options.search);
                    evaluation(position, value, self.engine.network_for(position).as_deref())
                }
                Err(why) => {
                    let why = format!("illegal position: {why}");
                    return self.refuse(why);
                }
            },
            Show::Help(topic) => help::page(&topic, self.modules),
            Show::Compiler => vec![
                concat!("umbrail ", env!("CARGO_PKG_VERSION")).to_owned(),
                format!(
                    "built for {} {} ({}), {} build",
                    std::env::consts::ARCH,
                    std::env::consts::OS,
                    std::env::consts::FAMILY,
                    if cfg!(debug_assertions) { "debug" } else { "release" },
                ),
                concat!("needs Rust ", env!("CARGO_PKG_RUST_VERSION"), " or newer").to_owned(),
            ],
            Show::License => lines(LICENSE),
        };
        self.write(Event::Page(page));
    }
}

/// Returns every option with its value in these options.
pub(super) fn offers(options: &Options) -> Vec<Offer> {
    specs().map(|spec| Offer { spec, value: spec.text(options) }).collect()
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn board(setup: &Setup, position: Option<&Position>) -> Vec<String> {
    let ruler = " +---+---+---+---+---+---+---+---+";
    let mut page = vec![ruler.to_owned()];
    for rank in (0..8).rev() {
        let mut row = String::new();
        for file in 0..8 {
            let letter = setup.piece(Square::at(file, rank)).map_or(' ', |(color, letter)| {
                if color.is_white() { letter } else { letter.to_ascii_lowercase() }
            });
            row.push_str(&format!(" | {letter}"));
        }
        page.push(format!("{row} | {}", rank + 1));
        page.push(ruler.to_owned());
    }
    page.push("   a   b   c   d   e   f   g   h".to_owned());
    page.push(String::new());
    page.push(format!("Fen: {setup}"));
    match position {
        None => page.push("This diagram cannot be played on.".to_owned()),
        Some(position) => {
            page.push(format!("Key: {:016X}", position.key()));
            let checkers: Vec<_> = position.checkers().squares().map(|s| s.to_string()).collect();
            page.push(format!("Checkers: {}", checkers.join(" ")).trim_end().to_owned());
        }
    }
    page
}

/// Describes the static value for the side to move, and the evaluation that it comes from.
fn evaluation(position: &Position, value: i32, network: Option<&search::Network>) -> Vec<String> {
    if position.in_check() {
        return vec!["Evaluation: none (in check)".to_owned()];
    }
    let white = |value: i32| {
        let white = if position.turn().is_white() { value } else { -value };
        format!("{:+.2} pawns for White", f64::from(white) / 100.0)
    };
    match network {
        None => vec![format!("Evaluation: {}, without searching, written by hand", white(value))],
        Some(network) => vec![
            format!("Evaluation: {}, without searching, network {network}", white(value)),
            format!("Written by hand: {}", white(search::evaluate(position))),
        ],
    }
}
