//! Fairy pieces as data: the ways in which a man moves and captures.
//!
//! Names and letters are those of Popeye 4.104, so that its input files can be read. Definitions:
//! the BCPS glossary (Emmerson 2018).

use crate::positions::board::ManKind;
use umbrail_chess::geometry::{Bitboard, Square};

/// Steps of a movement, each a change of file and rank.
type StepList = &'static [(i8, i8)];

/// One way of moving.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    steps: StepList,
    style: Style,
    mode: Mode,
}

/// Purpose of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Both,
    Quiet,
    Capture,
}

/// Shape of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// One step.
    Leap,
    /// Steps in one direction as far as the squares are empty.
    Ride,
    /// Over the first man in a direction (the hurdle), to the square behind it.
    Hop,
    /// Over the hurdle, to any square behind it as far as the squares are empty.
    Lion,
    /// Over the adjacent hurdle only, to the square behind it.
    Near,
    /// To an adjacent square in the direction of a knight's longer part, then on to the knight's
    /// square; the first square must be empty.
    Mao,
    /// As [`Style::Mao`], but the first square must be occupied.
    HurdledMao,
    /// Along a line to the first man, which is captured by landing on the empty square behind it.
    Locust,
    /// As [`Style::Locust`], with one step to the captured man.
    NearLocust,
}

const ORTHOGONAL: StepList = &[(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: StepList = &[(1, 1), (-1, 1), (-1, -1), (1, -1)];
const ALL: StepList = &[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const KNIGHT: StepList = &leaper(1, 2);
const CAMEL: StepList = &leaper(1, 3);
const ZEBRA: StepList = &leaper(2, 3);
const GIRAFFE: StepList = &leaper(1, 4);
const ANTELOPE: StepList = &leaper(3, 4);
const ALFIL: StepList = &[(2, 2), (-2, 2), (-2, -2), (2, -2)];
const DABBABA: StepList = &[(2, 0), (0, 2), (-2, 0), (0, -2)];

const fn leaper(a: i8, b: i8) -> [(i8, i8); 8] {
    [(a, b), (b, a), (-a, b), (-b, a), (-a, -b), (-b, -a), (a, -b), (b, -a)]
}

const fn both(style: Style, steps: StepList) -> Atom {
    Atom { steps, style, mode: Mode::Both }
}

const fn quiet(style: Style, steps: StepList) -> Atom {
    Atom { steps, style, mode: Mode::Quiet }
}

const fn capture(style: Style, steps: StepList) -> Atom {
    Atom { steps, style, mode: Mode::Capture }
}

/// A fairy piece.
#[derive(Debug)]
pub(crate) struct PieceType {
    /// English name.
    pub name: &'static str,
    /// Letters in French, German and English.
    pub letters: [&'static str; 3],
    /// Ways of moving; empty for a pawn.
    atoms: &'static [Atom],
    /// True for a man that goes straight ahead as a pawn, and promotes.
    pub is_pawn: bool,
}

const fn piece(
    name: &'static str,
    letters: [&'static str; 3],
    atoms: &'static [Atom],
) -> PieceType {
    PieceType { name, letters, atoms, is_pawn: false }
}

use Style::{Hop, HurdledMao, Leap, Lion, Locust, Mao, Near, NearLocust, Ride};

/// All fairy pieces.
pub(crate) static PIECES: &[PieceType] = &[
    piece("grasshopper", ["s", "g", "g"], &[both(Hop, ALL)]),
    piece("nightrider", ["n", "n", "n"], &[both(Ride, KNIGHT)]),
    piece("nightrider-hopper", ["sn", "nh", "nh"], &[both(Hop, KNIGHT)]),
    piece("princess", ["pr", "pr", "pr"], &[both(Ride, DIAGONAL), both(Leap, KNIGHT)]),
    piece("empress", ["im", "kn", "em"], &[both(Ride, ORTHOGONAL), both(Leap, KNIGHT)]),
    piece("amazon", ["am", "am", "am"], &[both(Ride, ALL), both(Leap, KNIGHT)]),
    piece("camel", ["ch", "ca", "ca"], &[both(Leap, CAMEL)]),
    piece("zebra", ["z", "z", "z"], &[both(Leap, ZEBRA)]),
    piece("giraffe", ["gi", "gi", "gi"], &[both(Leap, GIRAFFE)]),
    piece("antelope", ["an", "an", "an"], &[both(Leap, ANTELOPE)]),
    piece("wazir", ["vi", "we", "we"], &[both(Leap, ORTHOGONAL)]),
    piece("fers", ["fe", "fe", "fe"], &[both(Leap, DIAGONAL)]),
    piece("alfil", ["al", "al", "al"], &[both(Leap, ALFIL)]),
    piece("dabbaba", ["da", "da", "da"], &[both(Leap, DABBABA)]),
    piece("gnu", ["g", "gn", "gn"], &[both(Leap, KNIGHT), both(Leap, CAMEL)]),
    piece(
        "squirrel",
        ["ec", "ei", "sq"],
        &[both(Leap, KNIGHT), both(Leap, ALFIL), both(Leap, DABBABA)],
    ),
    piece("bison", ["bi", "bi", "bi"], &[both(Leap, CAMEL), both(Leap, ZEBRA)]),
    piece("okapi", ["ok", "ok", "ok"], &[both(Leap, KNIGHT), both(Leap, ZEBRA)]),
    piece("erlking", ["re", "ek", "ek"], &[both(Leap, ALL)]),
    piece("waran", ["v", "wa", "wa"], &[both(Ride, ORTHOGONAL), both(Ride, KNIGHT)]),
    piece("camelrider", ["cn", "cr", "cr"], &[both(Ride, CAMEL)]),
    piece("zebrarider", ["zn", "zr", "zr"], &[both(Ride, ZEBRA)]),
    piece("gnurider", ["gn", "gr", "gr"], &[both(Ride, KNIGHT), both(Ride, CAMEL)]),
    piece("elephant", ["el", "et", "et"], &[both(Ride, ALL), both(Ride, KNIGHT)]),
    piece("lion", ["li", "li", "li"], &[both(Lion, ALL)]),
    piece("rook-lion", ["tl", "tl", "rl"], &[both(Lion, ORTHOGONAL)]),
    piece("bishop-lion", ["fl", "ll", "bl"], &[both(Lion, DIAGONAL)]),
    piece("nightriderlion", ["nl", "nl", "nl"], &[both(Lion, KNIGHT)]),
    piece("rookhopper", ["st", "th", "rh"], &[both(Hop, ORTHOGONAL)]),
    piece("bishophopper", ["sf", "lh", "bh"], &[both(Hop, DIAGONAL)]),
    piece("camelrider hopper", ["sc", "ch", "ch"], &[both(Hop, CAMEL)]),
    piece("zebrarider hopper", ["sz", "zh", "zh"], &[both(Hop, ZEBRA)]),
    piece("gnurider hopper", ["sg", "gh", "gh"], &[both(Hop, KNIGHT), both(Hop, CAMEL)]),
    piece("kinghopper", ["sr", "kh", "kh"], &[both(Near, ALL)]),
    piece("knighthopper", ["sv", "sh", "kp"], &[both(Near, KNIGHT)]),
    piece("scorpion", ["so", "so", "so"], &[both(Leap, ALL), both(Hop, ALL)]),
    piece("leo", ["le", "le", "le"], &[quiet(Ride, ALL), capture(Lion, ALL)]),
    piece("pao", ["pa", "pa", "pa"], &[quiet(Ride, ORTHOGONAL), capture(Lion, ORTHOGONAL)]),
    piece("vao", ["va", "va", "va"], &[quiet(Ride, DIAGONAL), capture(Lion, DIAGONAL)]),
    piece("nao", ["na", "na", "na"], &[quiet(Ride, KNIGHT), capture(Lion, KNIGHT)]),
    piece("mao", ["ma", "ma", "ma"], &[both(Mao, KNIGHT)]),
    piece("maohopper", ["as", "ah", "ah"], &[both(HurdledMao, KNIGHT)]),
    piece("locust", ["l", "h", "l"], &[capture(Locust, ALL)]),
    piece("rook locust", ["lt", "ht", "lr"], &[capture(Locust, ORTHOGONAL)]),
    piece("bishop locust", ["lf", "hl", "lb"], &[capture(Locust, DIAGONAL)]),
    piece("nightrider locust", ["ln", "hn", "ln"], &[capture(Locust, KNIGHT)]),
    piece("sirene", ["si", "si", "si"], &[quiet(Ride, ALL), capture(Locust, ALL)]),
    piece("triton", ["tr", "tr", "tr"], &[quiet(Ride, ORTHOGONAL), capture(Locust, ORTHOGONAL)]),
    piece("nereide", ["ne", "nd", "nd"], &[quiet(Ride, DIAGONAL), capture(Locust, DIAGONAL)]),
    piece("marine knight", ["cm", "ms", "ms"], &[quiet(Leap, KNIGHT), capture(NearLocust, KNIGHT)]),
    piece("poseidon", ["po", "po", "po"], &[quiet(Leap, ALL), capture(NearLocust, ALL)]),
    PieceType {
        name: "marine pawn",
        letters: ["pm", "mb", "mp"],
        atoms: &[capture(NearLocust, &[(1, 1), (-1, 1)])],
        is_pawn: true,
    },
    piece("senora", ["dg", "se", "se"], &[quiet(Lion, ALL), capture(Ride, ALL)]),
    piece("faro", ["fa", "fa", "fa"], &[quiet(Lion, ORTHOGONAL), capture(Ride, ORTHOGONAL)]),
    piece("loco", ["lo", "lo", "lo"], &[quiet(Lion, DIAGONAL), capture(Ride, DIAGONAL)]),
    piece("saltador", ["sl", "sa", "sa"], &[quiet(HurdledMao, KNIGHT), capture(Mao, KNIGHT)]),
    piece("dummy", ["pi", "du", "du"], &[]),
];

/// Men of Alice's second board, in the order of the kinds of chess. They move as those.
pub(crate) static BOARD_B: &[PieceType] = &[
    PieceType { is_pawn: true, ..piece("pawn on board B", [""; 3], &[]) },
    piece("knight on board B", [""; 3], &[]),
    piece("bishop on board B", [""; 3], &[]),
    piece("rook on board B", [""; 3], &[]),
    piece("queen on board B", [""; 3], &[]),
    piece("king on board B", [""; 3], &[]),
];

/// Returns true for a kind of board B.
pub(crate) const fn is_on_b(kind: ManKind) -> bool {
    kind.index() >= ManKind::STANDARD
}

/// Returns the kind of the same man on the other board.
pub(crate) const fn on_other_board(kind: ManKind) -> ManKind {
    let index = kind.index();
    if index >= ManKind::STANDARD {
        ManKind::at(index - ManKind::STANDARD)
    } else {
        ManKind::at(index + ManKind::STANDARD)
    }
}

/// Returns the piece of an English name. Case, spaces and hyphens do not matter.
pub(crate) fn piece_of(name: &str) -> Option<&'static PieceType> {
    let plain = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let name = match plain(name).as_str() {
        // As Popeye spells it.
        "grashopper" => "grasshopper".to_owned(),
        "nereid" => "nereide".to_owned(),
        name => name.to_owned(),
    };
    PIECES.iter().find(|piece| plain(piece.name) == name)
}

/// A move or capture of a man, seen from its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceReach {
    /// To an empty square.
    Go(Square),
    /// Capture of the man on `victim`, arriving on `to`.
    Take {
        /// Square of the captured man.
        victim: Square,
        /// Square of arrival.
        to: Square,
    },
}

impl PieceType {
    /// Passes everything that the piece reaches among these blockers. `up` is 1 for White and -1 for
    /// Black. Captured men may be of either side.
    pub(super) fn reach(
        &self,
        from: Square,
        blockers: Bitboard,
        up: i32,
        visit: &mut impl FnMut(PieceReach),
    ) {
        for atom in self.atoms {
            for &(dx, dy) in atom.steps {
                atom.reach(from, blockers, (i32::from(dx), i32::from(dy) * up), visit);
            }
        }
    }

    /// Returns the squares that a man of this piece may reach in one move, whatever the other men
    /// are.
    pub(super) fn widest(&self, from: Square, up: i32) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for atom in self.atoms {
            for &(dx, dy) in atom.steps {
                let (dx, dy) = (i32::from(dx), i32::from(dy) * up);
                let most = match atom.style {
                    Style::Leap | Style::Mao | Style::HurdledMao => 1..2,
                    Style::Near | Style::NearLocust => 2..3,
                    Style::Ride => 1..8,
                    Style::Hop | Style::Lion | Style::Locust => 2..8,
                };
                for steps in most {
                    if let Some(to) = from.offset(dx * steps, dy * steps) {
                        reached = reached.with(to);
                    }
                }
            }
        }
        reached
    }
}

impl Atom {
    fn reach(
        &self,
        from: Square,
        blockers: Bitboard,
        (dx, dy): (i32, i32),
        visit: &mut impl FnMut(PieceReach),
    ) {
        let mut arrive = |to: Square| {
            let is_capture = blockers.contains(to);
            match self.mode {
                Mode::Quiet if is_capture => {}
                Mode::Capture if !is_capture => {}
                _ if is_capture => visit(PieceReach::Take { victim: to, to }),
                _ => visit(PieceReach::Go(to)),
            }
            !is_capture
        };
        let next = |at: Square| at.offset(dx, dy);
        let first_man = || {
            let mut at = next(from)?;
            while !blockers.contains(at) {
                at = next(at)?;
            }
            Some(at)
        };
        match self.style {
            Style::Leap => {
                next(from).map(&mut arrive);
            }
            Style::Ride => {
                let mut at = next(from);
                while let Some(to) = at {
                    at = if arrive(to) { next(to) } else { None };
                }
            }
            Style::Hop => {
                first_man().and_then(next).map(&mut arrive);
            }
            Style::Lion => {
                let mut at = first_man().and_then(next);
                while let Some(to) = at {
                    at = if arrive(to) { next(to) } else { None };
                }
            }
            Style::Near => {
                let hurdle = next(from).filter(|&at| blockers.contains(at));
                hurdle.and_then(next).map(&mut arrive);
            }
            Style::Mao | Style::HurdledMao => {
                // The longer part of the knight's step, halved.
                let leg = from.offset(dx / 2, dy / 2);
                let hurdled = self.style == Style::HurdledMao;
                if leg.is_some_and(|leg| blockers.contains(leg) == hurdled) {
                    next(from).map(&mut arrive);
                }
            }
            Style::Locust | Style::NearLocust => {
                let victim = match self.style {
                    Style::Locust => first_man(),
                    _ => next(from).filter(|&at| blockers.contains(at)),
                };
                if let Some(victim) = victim
                    && let Some(to) = next(victim).filter(|&to| !blockers.contains(to))
                {
                    visit(PieceReach::Take { victim, to });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(name: &str, from: &str, blockers: &[&str]) -> Vec<String> {
        let square = |name: &&str| name.parse::<Square>().unwrap();
        let blockers = blockers.iter().map(square).collect();
        let mut found = vec![];
        piece_of(name).unwrap().reach(square(&from), blockers, 1, &mut |reach| {
            found.push(match reach {
                PieceReach::Go(to) => to.to_string(),
                PieceReach::Take { victim, to } if victim == to => format!("x{to}"),
                PieceReach::Take { victim, to } => format!("x{victim}-{to}"),
            });
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn each_style_reaches_its_squares() {
        assert_eq!(reached("Grasshopper", "a1", &["a4", "c1", "d1"]), ["a5", "xd1"]);
        assert_eq!(reached("nightrider hopper", "a1", &["b3", "c2"]), ["c5", "e3"]);
        assert_eq!(reached("pao", "a8", &["a4", "a2", "b8"]), ["a5", "a6", "a7", "xa2"]);
        assert_eq!(reached("triton", "a1", &["a3", "d1", "e1"]), ["a2", "b1", "c1", "xa3-a4"]);
        assert_eq!(reached("mao", "a1", &["a2"]), ["c2"]);
        assert_eq!(reached("saltador", "a1", &["a2", "c2"]), ["b3", "xc2"]);
        // Five and six squares behind the hurdles, and both hurdles.
        assert_eq!(reached("faro", "a1", &["a3", "b1"]).len(), 5 + 6 + 2);
    }

    #[test]
    fn the_widest_reach_contains_every_other() {
        for piece in PIECES.iter().filter(|piece| !piece.is_pawn) {
            for from in Square::all() {
                let widest = piece.widest(from, 1);
                for seed in 1..20_u64 {
                    let blockers = Bitboard(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)).without(from);
                    piece.reach(from, blockers, 1, &mut |reach| {
                        let (PieceReach::Go(to) | PieceReach::Take { to, .. }) = reach;
                        assert!(widest.contains(to), "{} {from} {to}", piece.name);
                    });
                }
            }
        }
    }
}
