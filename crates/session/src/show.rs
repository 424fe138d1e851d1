//! Information shown to a person: the board, the evaluation, the license. Help is in `help.rs`.

use super::Session;
use super::command::Show;
use super::evaluation::evaluation;
use super::event::{Event, Facts, Offer};
use super::help;
use super::options::{self, Options, specs};
use umbrail_chess::Position;
use umbrail_chess::geometry::{Setup, Square};
use umbrail_control::BuildFacts;

/// Notice of the license, for a person.
const LICENSE: &str = "\
Umbrail is free software: you can redistribute it and change it under the terms of the GNU General
Public License, version 3 or later. It comes WITHOUT ANY WARRANTY. The file LICENSE in its source, or
https://www.gnu.org/licenses/, has the terms.";

impl Session {
    pub(super) fn show(&mut self, show: Show) {
        let (facts, page) = match show {
            Show::Options => {
                let offers = offers(&self.options);
                return self.write(Event::Settings(offers));
            }
            Show::Board => match self.game_fen() {
                Some(fen) => other_board(fen),
                None => board(&self.game.setup(), self.game.position().ok()),
            },
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
            Show::Help(topic) => {
                let page = help::page(&topic, self.modules);
                return self.write(Event::Page(page));
            }
            Show::Compiler => {
                let build = BuildFacts::of_program();
                let page = lines(&build.to_string());
                (Facts::Build(build), page)
            }
            Show::License => (Facts::License, lines(LICENSE)),
        };
        self.write(Event::Facts(facts, page));
    }
}

/// Returns the options that a GUI is offered now, each with the default of this conversation.
pub(super) fn offered(now: &Options, defaults: &Options) -> Vec<Offer> {
    options::offered(now).map(|spec| Offer { spec, value: spec.text(defaults) }).collect()
}

/// Returns every option with its value in these options.
pub(super) fn offers(options: &Options) -> Vec<Offer> {
    specs().map(|spec| Offer { spec, value: spec.text(options) }).collect()
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Shows the board of another game.
fn other_board(fen: String) -> (Facts, Vec<String>) {
    let page = vec![format!("Fen: {fen}")];
    (Facts::Board { fen, key: None, checkers: vec![] }, page)
}

fn board(setup: &Setup, position: Option<&Position>) -> (Facts, Vec<String>) {
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
    let checkers = position.map_or_else(Vec::new, |position| {
        position.checkers().squares().map(|square| square.to_string()).collect()
    });
    match position {
        None => page.push("This diagram cannot be played on.".to_owned()),
        Some(position) => {
            page.push(format!("Key: {:016X}", position.key()));
            page.push(format!("Checkers: {}", checkers.join(" ")).trim_end().to_owned());
        }
    }
    let key = position.map(Position::key);
    (Facts::Board { fen: setup.to_string(), key, checkers }, page)
}
