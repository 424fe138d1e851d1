//! EGTgen's dialogue. Input is a position by octal index, editor or reply. Output is all of White's
//! moves with their results. The best move is played at once, so that a whole mate can be played
//! out.

use super::board::{TableBoard, TableMove};
use super::lookup::Source;
use super::variant::Variant;
use super::{Waiter, rules};
use crate::Session;
use crate::command::Ask;
use crate::event::{Event, FromTable};
use crate::running_job::RunningJob;
use std::time::Instant;
use umbrail_chess::geometry::Color;
use umbrail_tables::{FairyBoard, egtgen};

impl Session {
    /// Takes a position or a reply, and answers.
    pub(crate) fn table_ask(&mut self, ask: Ask, at: Instant) {
        if matches!(self.table_player.variant, Variant::Game(_)) {
            return self.refuse("EGTgen's dialogue exists only on the board of chess");
        }
        match ask {
            Ask::Board => {
                if self.table_explain() {
                    return;
                }
                if let Some(TableBoard::Chess(board)) = self.table_player.game.last_mut() {
                    board.turn = Color::White;
                }
            }
            Ask::Index(index) => {
                let endgame_setup = self.endgame_setup();
                let endgame = endgame_setup.and_then(|endgame_setup| {
                    endgame_setup.endgame.clone().ok_or_else(|| "an index needs an endgame".into())
                });
                let board = endgame.and_then(|endgame| {
                    egtgen::board(index, &endgame).ok_or_else(|| {
                        format!("{index:o} is not a position of {endgame}: two octal digits for each piece").into()
                    })
                });
                match board {
                    Ok(board) => self.put_asked(board),
                    Err(why) => return self.refuse(why),
                }
            }
            Ask::Reply(text) => {
                let (Some(board), Ok(endgame_setup)) =
                    (self.table_player.game.last().cloned(), self.endgame_setup())
                else {
                    return self.illegal(text, "there is no position yet");
                };
                match endgame_setup.read_move(&board, &text, &self.table_player.variant) {
                    Err(why) => return self.illegal(text, why),
                    Ok(mv) => self.push_table_move(mv),
                }
            }
        }
        self.table_answer(at);
    }

    fn put_asked(&mut self, board: FairyBoard) {
        self.abandon();
        self.table_player.variant = Variant::Fairy;
        self.table_player.game.clear();
        let board = TableBoard::Chess(board);
        self.take_over(&board);
        self.table_player.game.push(board);
        self.partner.new_position();
    }

    /// Lists White's moves; in the dialogue the best move is played.
    pub(super) fn table_answer(&mut self, at: Instant) {
        let Some(now) = self.table_player.game.last().cloned() else { return };
        let TableBoard::Chess(board) = &now else { return };
        let Some(found) = self.find(&now) else {
            self.table_player.wait(Waiter::Listing);
            if !self.running.as_ref().is_some_and(RunningJob::is_building) {
                self.wait_for_table(&now, at);
            }
            return;
        };
        let Source::Chess(entry) = &found.source else { return };
        let listing = match entry.table().listing(board) {
            Ok(listing) => listing,
            Err(error) => return self.refuse(error.to_string()),
        };
        let mut lines = egtgen::diagram(board);
        lines.extend(listing.to_string().lines().map(str::to_owned));
        let Ok(endgame_setup) = self.endgame_setup() else { return };
        let promotions = rules::promotions(&endgame_setup);
        let best = listing.best.filter(|_| self.options.tables.dialogue);
        let best = best.and_then(|best| {
            let white = FairyBoard { turn: Color::White, ..board.clone() };
            let moves = white.pseudo_moves(&promotions);
            moves.into_iter().find(|mv| mv.to_string() == best.name).map(|mv| (white, mv))
        });
        match best {
            // A hanging royal piece is not captured: the position is not legal.
            Some((white, mv)) if !mv.takes(white.royal(Color::Black)) => {
                let after = white.after(&mv);
                let name = mv.to_string();
                self.push_table_move(TableMove { name, after: TableBoard::Chess(after.clone()) });
                lines.extend(egtgen::diagram(&after));
                lines.push(format!("move {mv}"));
                if after.moves_to(&promotions).is_empty() {
                    lines.push(if after.in_check() { "mate" } else { "stalemate" }.to_owned());
                }
            }
            _ => {}
        }
        self.write(Event::FromTable(FromTable::Listing(lines)));
    }
}
