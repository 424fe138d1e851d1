//! Terms of the pages of runs, each with its meaning.

use maud::{Markup, html};

/// A term and its meaning.
type Term = (&'static str, &'static str);

/// Figures of every run.
const COMMON: &[Term] = &[
    ("time", "Time since the run was started or resumed."),
    ("memory of the program", "Memory that the whole program uses, with all its runs."),
];
/// Figures of proof games.
const PROOF: &[Term] = &[
    (
        "strategy",
        "A complete plan of a game: for each piece the squares that it visits, with its captures and promotion, but not the order of the moves.",
    ),
    (
        "free moves",
        "Moves that a strategy does not need, White's and Black's: 1+6. The fewer there are, the less there is to search.",
    ),
    ("enumeration", "The part of the program that lists all strategies. Several can work at once."),
    (
        "share of the tree *",
        "Part of the tree of decisions that the enumerations have finished. It counts all branches alike, so that it is an estimate.",
    ),
    ("strategies found", "Strategies that lead to the diagram in the given number of moves."),
    (
        "strategies kept",
        "Found strategies that no analysis has refuted; they are searched for games.",
    ),
    ("queue, strategies in the queue", "Kept strategies that wait for their search."),
    ("searched, strategies searched", "Strategies whose search is finished."),
    ("moves, moves tried", "Moves played on the board in searches."),
    ("moves a second", "Speed of the searches since the last update."),
    ("games", "Proof games found: each leads from the initial position to the diagram."),
    (
        "cook, cook strategies",
        "A second solution. A sound problem has one game; every other strategy with a game is a cook.",
    ),
    ("refutation table", "Memory for positions from which the search knows that no game follows."),
    (
        "taken back first",
        "The last moves that are taken back before strategies are listed, because they are forced or few.",
    ),
    (
        "about left, estimated",
        "Time at the speed so far, if the rest of the tree is like the finished part. It may be several times longer.",
    ),
    ("C+", "Checked by computer: the problem is sound, with exactly one game."),
    (
        "refuted by analysis",
        "Strategies that cannot be played, as a deduction has shown without a search.",
    ),
    (
        "Pawn matching, Pawn capture, Assassin",
        "Choices of the enumeration on the way to a strategy: which pawn became which piece or pawn of the diagram; what a pawn captured; which other piece captured, and where.",
    ),
    ("nodes of the tree", "Decisions that the enumerations have made."),
];
/// Figures of a run with several machines.
const MACHINES: &[Term] = &[
    ("unit", "A part of the work that one worker takes as a whole."),
    ("units done", "Units with a result."),
    ("audited", "Units done twice, by two workers, and compared."),
    ("without result", "Units that no worker has finished yet."),
    ("waiting", "Units that no worker has taken yet."),
    ("at work", "Units that workers have taken."),
    ("results a second", "Units finished a second, lately."),
    ("claims", "Nodes of the tree that are shared out; each belongs to one unit."),
    ("about left", "Time at the present speed of all workers."),
];
/// Figures of stenos.
const STENO: &[Term] = &[
    ("mark", "The sign of one half-move. It leaves open which move it was."),
    ("turn", "A half-move: 1. White, 1. Black, and so on."),
    ("games", "Sequences of legal moves that have all the marks."),
    (
        "positions after each turn",
        "Different positions that the marks so far allow. Games that lead to the same position are searched once.",
    ),
    ("share of this step", "Part of the positions of the present turn that are done."),
    ("done, of", "Positions of the present turn that are done, and all of them."),
    ("found for the next step", "Different positions after the present turn, so far."),
    ("moves made", "Moves tried in all positions."),
];
/// Figures of tables and surveys.
const TABLES: &[Term] = &[
    (
        "table",
        "The value of every position of an endgame. Captures and promotions lead to smaller tables, which are built first.",
    ),
    (
        "estimated share, about left",
        "Time so far against the estimate that was made before the build. The estimate is that of an idle machine, correct within a factor of two for seven endgames.",
    ),
    (
        "ply of the present table",
        "The builder works backwards: at ply n it finds all positions in which mate follows in n half-moves.",
    ),
    (
        "positions lost in it, positions won in it",
        "Positions of the present table with a value, for the side to move.",
    ),
    ("moves made", "Work done so far: for a table, positions whose value is settled."),
    (
        "DTM, DTC, DTZ",
        "Distance to mate, to conversion (a capture, a promotion or mate), and to zeroing of the half-move clock, which the fifty-move rule counts.",
    ),
    (
        "mutual zugzwang",
        "A position in which it is a disadvantage to be on move, for whichever side that is.",
    ),
];

/// Kind of run that a legend explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Legend {
    Proof,
    Steno,
    Tables,
}

impl Legend {
    fn terms(self) -> Vec<&'static [Term]> {
        match self {
            Self::Proof => vec![PROOF, MACHINES, COMMON],
            Self::Steno => vec![STENO, COMMON],
            Self::Tables => vec![TABLES, COMMON],
        }
    }
}

/// Writes the terms, closed at first.
pub(super) fn legend(of: Legend) -> Markup {
    html! {
        details.legend {
            summary { "What the terms mean" }
            dl { @for (term, meaning) in of.terms().into_iter().flatten() { dt { (term) } dd { (meaning) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Legend, legend};

    /// Returns the names that a script gives to figures: the first argument of each `add`.
    fn added(script: &str) -> Vec<String> {
        let names = script.split(".add(\"").skip(1);
        names.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    }

    #[test]
    fn every_figure_of_a_run_is_explained() {
        let text = |of: Legend| legend(of).into_string();
        let proof = text(Legend::Proof);
        let names = [include_str!("assets/run.js"), include_str!("assets/machines.js")].map(added);
        assert!(names[0].len() > 10 && names[1].len() > 6, "{names:?}");
        for name in names.iter().flatten() {
            assert!(proof.contains(name.as_str()), "{name}");
        }
        let gauges = include_str!("assets/gauges.js");
        let names = gauges.split("const names = {").nth(1).and_then(|rest| rest.split("};").next());
        let names: Vec<&str> = names.unwrap_or("").split('"').skip(1).step_by(2).collect();
        assert!(names.len() > 8, "{names:?}");
        let all = format!("{proof}{}{}", text(Legend::Steno), text(Legend::Tables));
        for name in names {
            assert!(all.contains(name), "{name}");
        }
    }
}
