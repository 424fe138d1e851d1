//! A second, plain implementation of Monochromatic, Bichromatic, Grid and Losing Chess, Circe, Mirror Circe, forbidden
//! captures, Alphabetic Chess, Ultraschachzwang, and conditions on checks and captures of a game, compared with the rules of
//! the search on every position of random games. It shares no code with them: a board of letters, and loops.

use super::{ARRAY, position};
use crate::positions::board::ManKind;
use crate::positions::conditions::{Built, build};
use crate::positions::fairy::{FairyPosition, FairyRules};
use crate::positions::names::ConditionName;
use umbrail_chess::SplitMix64;
use umbrail_chess::geometry::Square;

/// A board of letters, `.` for an empty square, a1 first.
#[derive(Clone, PartialEq, Eq)]
struct Plain {
    board: [u8; 64],
    white: bool,
    /// Kings and rooks that may castle: e1 a1 h1 e8 a8 h8.
    unmoved: [bool; 6],
    passed: Option<i32>,
}

const HOMES: [(usize, u8); 6] =
    [(4, b'K'), (0, b'R'), (7, b'R'), (60, b'k'), (56, b'r'), (63, b'r')];

fn at(file: i32, rank: i32) -> Option<usize> {
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

fn step_ok(name: &str, from: usize, to: usize) -> bool {
    let light = |square: usize| (square / 8 + square % 8) % 2;
    match name {
        "MonochromChess" => light(from) == light(to),
        "BichromChess" => light(from) != light(to),
        "GridChess" => (from / 16, from % 8 / 2) != (to / 16, to % 8 / 2),
        _ => true,
    }
}

impl Plain {
    fn is_own(&self, square: usize, white: bool) -> bool {
        let man = self.board[square];
        man != b'.' && man.is_ascii_uppercase() == white
    }

    /// Returns moves as squares of departure and arrival; castling apart.
    fn raw(&self, name: &str, white: bool) -> Vec<(usize, usize)> {
        let mut moves = vec![];
        for from in (0..64).filter(|&square| self.is_own(square, white)) {
            let (file, rank) = ((from % 8) as i32, (from / 8) as i32);
            let man = self.board[from].to_ascii_lowercase();
            let mut steps: Vec<(i32, i32)> = vec![];
            for dx in -2..=2_i32 {
                for dy in -2..=2_i32 {
                    let fits = match man {
                        b'n' => dx.abs() * dy.abs() == 2,
                        b'r' => dx.abs() + dy.abs() == 1,
                        b'b' => dx.abs() == 1 && dy.abs() == 1,
                        b'k' | b'q' => dx.abs() <= 1 && dy.abs() <= 1 && (dx, dy) != (0, 0),
                        _ => false,
                    };
                    if fits {
                        steps.push((dx, dy));
                    }
                }
            }
            for (dx, dy) in steps {
                let far = if matches!(man, b'n' | b'k') { 1 } else { 7 };
                for step in 1..=far {
                    let Some(to) = at(file + dx * step, rank + dy * step) else { break };
                    if self.is_own(to, white) {
                        break;
                    }
                    moves.push((from, to));
                    if self.board[to] != b'.' {
                        break;
                    }
                }
            }
            let up = if white { 1 } else { -1 };
            let base = if white { 1 } else { 6 };
            if man == b'p' && rank != base - up {
                let empty = |to: usize| self.board[to] == b'.';
                if let Some(to) = at(file, rank + up).filter(|&to| empty(to)) {
                    moves.push((from, to));
                    let next = at(file, rank + 2 * up).filter(|&to| empty(to) && rank == base);
                    moves.extend(next.map(|to| (from, to)));
                }
                for dx in [-1, 1] {
                    if let Some(to) = at(file + dx, rank + up) {
                        let taken = self.passed == Some(to as i32) && white == self.white;
                        if self.is_own(to, !white) || taken && empty(to) {
                            moves.push((from, to));
                        }
                    }
                }
            }
        }
        moves.retain(|&(from, to)| step_ok(name, from, to));
        moves
    }

    fn in_check(&self, name: &str, white: bool) -> bool {
        let king = if white { b'K' } else { b'k' };
        let attacks = |(from, to): (usize, usize)| {
            // A pawn attacks sideways only; straight moves go to empty squares.
            self.board[to] == king && self.board[from] != b'.'
        };
        name != "LosingChess" && self.raw(name, !white).into_iter().any(attacks)
    }

    fn played(&self, name: &str, from: usize, to: usize) -> Vec<Self> {
        let mut next = self.clone();
        let (man, white) = (self.board[from], self.white);
        let mut victim = next.board[to];
        next.board[from] = b'.';
        if man.eq_ignore_ascii_case(&b'p') && from % 8 != to % 8 && victim == b'.' {
            let taken = from / 8 * 8 + to % 8;
            victim = std::mem::replace(&mut next.board[taken], b'.');
        }
        next.board[to] = man;
        let double = man.eq_ignore_ascii_case(&b'p') && from.abs_diff(to) == 16;
        next.passed = double.then_some((from + to) as i32 / 2);
        next.white = !white;
        let promotes = man.eq_ignore_ascii_case(&b'p') && !(8..=55).contains(&to);
        let kinds: &[u8] = if name == "LosingChess" { b"qrbnk" } else { b"qrbn" };
        let mut all = vec![];
        for &kind in if promotes { kinds } else { b"-" } {
            let mut one = next.clone();
            if promotes {
                one.board[to] = if white { kind.to_ascii_uppercase() } else { kind };
            }
            if name.contains("Circe") && victim != b'.' {
                one.rebirth(name == "MirrorCirce", victim, to);
            }
            one.settle();
            all.push(one);
        }
        all
    }

    fn rebirth(&mut self, mirror: bool, victim: u8, taken: usize) {
        let rank = if victim.is_ascii_uppercase() != mirror { 0 } else { 7 };
        let light = |square: usize| (square / 8 + square % 8) % 2;
        let files: &[usize] = match victim.to_ascii_lowercase() {
            b'r' => &[0, 7],
            b'n' => &[1, 6],
            b'b' => &[2, 5],
            b'q' => &[3],
            b'p' => &[8],
            _ => &[],
        };
        for &file in files {
            let square = match file {
                8 => {
                    if rank == 0 {
                        8 + taken % 8
                    } else {
                        48 + taken % 8
                    }
                }
                file => rank * 8 + file,
            };
            if (files.len() == 1 || light(square) == light(taken)) && self.board[square] == b'.' {
                self.board[square] = victim;
                for (index, &(home, man)) in HOMES.iter().enumerate() {
                    self.unmoved[index] |= !mirror && home == square && man == victim;
                }
            }
        }
    }

    fn settle(&mut self) {
        for (index, &(home, man)) in HOMES.iter().enumerate() {
            self.unmoved[index] &= self.board[home] == man;
        }
    }

    fn castlings(&self, name: &str) -> Vec<Self> {
        let base = if self.white { 0 } else { 3 };
        let first = if self.white { 0 } else { 56 };
        let mut all = vec![];
        for (rook, rook_to, king_to, between, index) in
            [(7, 5, 6, [5, 6, 6], 2), (0, 3, 2, [1, 2, 3], 1)]
        {
            let square = |file: usize| first + file;
            if !self.unmoved[base]
                || !self.unmoved[base + index]
                || between.iter().any(|&file| self.board[square(file)] != b'.')
                || !step_ok(name, square(4), square(king_to))
                || !step_ok(name, square(rook), square(rook_to))
                || self.in_check(name, self.white)
            {
                continue;
            }
            let king = self.board[square(4)];
            let mut way = self.clone();
            way.board[square(4)] = b'.';
            way.board[square(rook_to)] = king;
            if way.in_check(name, self.white) {
                continue;
            }
            let mut next = self.clone();
            let man = next.board[square(rook)];
            (next.board[square(4)], next.board[square(rook)]) = (b'.', b'.');
            (next.board[square(king_to)], next.board[square(rook_to)]) = (king, man);
            (next.white, next.passed) = (!self.white, None);
            next.settle();
            all.push(next);
        }
        all
    }

    /// Returns the positions after all legal moves.
    fn legal(&self, name: &str) -> Vec<Self> {
        let men = |position: &Self| position.board.iter().filter(|&&man| man != b'.').count();
        let takes = |&(from, to): &(usize, usize)| {
            let sideways = self.board[from].eq_ignore_ascii_case(&b'p') && from % 8 != to % 8;
            self.board[to] != b'.' || sideways
        };
        let mut raw = self.raw(name, self.white);
        let mut castlings = self.castlings(name);
        if name == "LosingChess" && raw.iter().any(takes) {
            raw.retain(takes);
            castlings.clear();
        }
        let sides = [(name.contains("White"), true), (name.contains("Black"), false)];
        let one_sided = sides.iter().any(|(named, _)| *named);
        let concerns_us = !one_sided || sides.contains(&(true, self.white));
        if name.starts_with("No") && name.ends_with("Capture") && concerns_us {
            raw.retain(|mv| !takes(mv));
        }
        if name.starts_with("Only") && concerns_us {
            raw.retain(|mv| !takes(mv) || self.board[mv.0].eq_ignore_ascii_case(&b'p'));
        }
        let king = if self.white { 4 } else { 60 };
        let mut all: Vec<(usize, Self)> = castlings.drain(..).map(|next| (king, next)).collect();
        for (from, to) in raw {
            all.extend(self.played(name, from, to).into_iter().map(|next| (from, next)));
        }
        all.retain(|(_, next)| men(next) > 0 && !next.in_check(name, self.white));
        let checks = |next: &Self| next.in_check(name, !self.white);
        if name.ends_with("Checks") && concerns_us {
            all.retain(|(_, next)| !checks(next));
        }
        if name.ends_with("UltraSchachZwang") && concerns_us {
            all.retain(|(_, next)| checks(next));
        }
        if name.ends_with("AlphabeticChess") && concerns_us {
            let first = all.iter().map(|(from, _)| (from % 8, from / 8)).min();
            all.retain(|(from, _)| Some((from % 8, from / 8)) == first);
        }
        all.into_iter().map(|(_, next)| next).collect()
    }
}

fn letters(position: &FairyPosition) -> [u8; 64] {
    let mut board = [b'.'; 64];
    for square in Square::all() {
        let man = position.at(square);
        if !man.is_none() {
            let letter = man.kind().role().expect("a man of chess").letter() as u8;
            let white = man.color().is_white();
            board[square.index()] =
                if white { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
        }
    }
    board
}

const NAMES: [&str; 18] = [
    "MonochromChess",
    "BichromChess",
    "GridChess",
    "LosingChess",
    "Circe",
    "MirrorCirce",
    "NoCapture",
    "NoWhiteCapture",
    "NoBlackCapture",
    "OnlyPawnsCapture",
    "OnlyBlackPawnsCapture",
    "NoChecks",
    "NoWhiteChecks",
    "AlphabeticChess",
    "WhiteAlphabeticChess",
    "BlackAlphabeticChess",
    "WhiteUltraSchachZwang",
    "BlackUltraSchachZwang",
];

#[test]
fn a_plain_referee_has_the_same_moves() {
    let mut numbers = SplitMix64::new(2_026);
    let castlings = "r3k2r/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R w KQkq - 0 1";
    for name in NAMES {
        let built = build(&ConditionName::read(name).unwrap());
        let Some(Built::Condition(condition)) = built else { panic!("{name}") };
        let kinds = [ManKind::QUEEN, ManKind::ROOK, ManKind::BISHOP, ManKind::KNIGHT].to_vec();
        let rules =
            FairyRules::new(vec![condition], vec![], kinds, [ManKind::KING, ManKind::ROOK], false);
        let mut tested = 0;
        for game in 0..24 {
            let mut ours: FairyPosition = position(if game % 2 == 0 { ARRAY } else { castlings });
            rules.begin(&mut ours);
            let mut theirs =
                Plain { board: letters(&ours), white: true, unmoved: [true; 6], passed: None };
            for _ in 0..50 {
                let legal = rules.legal(&ours);
                let mut found: Vec<[u8; 64]> = legal.iter().map(|one| letters(&one.next)).collect();
                let plain = theirs.legal(name);
                let mut expected: Vec<[u8; 64]> = plain.iter().map(|one| one.board).collect();
                found.sort_unstable();
                expected.sort_unstable();
                let text = String::from_utf8_lossy(&theirs.board).into_owned();
                assert_eq!(found.len(), expected.len(), "{name} {text}");
                assert!(found == expected, "{name} {text}");
                tested += 1;
                if legal.is_empty() {
                    break;
                }
                // Captures are as frequent as other moves, so that rebirths happen.
                let captures: Vec<_> = legal.iter().filter(|one| one.victim.is_some()).collect();
                let chosen = match captures.is_empty() || numbers.below(2) == 0 {
                    true => &legal[numbers.below(legal.len() as u64) as usize],
                    false => captures[numbers.below(captures.len() as u64) as usize],
                };
                ours = chosen.next;
                let board = letters(&ours);
                theirs = plain.into_iter().find(|one| one.board == board).unwrap();
            }
        }
        // A side that must give check rarely has a move.
        let least = if name.ends_with("Zwang") { 20 } else { 300 };
        assert!(tested > least, "{name}: {tested}");
    }
}
