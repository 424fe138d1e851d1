//! Statistics of an endgame of a game, and its hardest positions.

use super::definition::BareRoyal;
use super::index::PositionIndex;
use super::position::{GameMan, GamePosition};
use super::solved::{DEPTH_MAX, ILLEGAL, SolvedGame};
use super::tables::GameTables;
use crate::solved_table::Count;
use crate::stats::{SideStatistics, Statistics, Zugzwangs};
use umbrail_chess::geometry::Color;

/// A stored position: slice, word, bit.
type Cell = (usize, usize, u8);

impl GameTables {
    fn table(&self, winner: Color) -> &SolvedGame {
        // A finished build has both tables.
        &self.solved[&self.material.key(winner)]
    }

    /// Returns the position of a cell of the table "this side wins".
    pub(super) fn at(&self, winner: Color, turn: Color, (slot, word, bit): Cell) -> GamePosition {
        let (game, key) = (&self.moves.game, self.material.key(winner));
        let index = &self.table(winner).index;
        let place = |square: u8| {
            if winner.is_white() { square } else { game.grid.flipped(square) }
        };
        let man =
            |kind: u8, color: Color, square: u8| GameMan { kind, color, square: place(square) };
        let ours = man(key.attackers[0], winner, index.homes[slot]);
        let theirs = man(key.losers[0], !winner, index.axis.squares[usize::from(bit)]);
        let mut men = if winner.is_white() { vec![ours, theirs] } else { vec![theirs, ours] };
        for (number, &square) in index.decode(word)[..index.men].iter().enumerate() {
            let color = if number < key.strikers() { winner } else { !winner };
            men.push(man(key.kind(number), color, square));
        }
        GamePosition { men, turn }
    }

    /// Returns true when the other side of `winner` has only its royal, which has lost the game. With the winner to
    /// move, every position is the end of a game that was won.
    fn is_won(&self, winner: Color) -> bool {
        let key = self.material.key(winner);
        let is_bare = key.losers.len() == 1 && key.attackers.len() > 1;
        self.moves.game.rules.bare != BareRoyal::Plays && is_bare
    }

    /// Returns the number of plies of the longest win of a side; 0 when it wins no position.
    pub fn longest_win(&self, winner: Color) -> usize {
        let table = self.table(winner);
        let most = |cells: &[u8], moves| cells.iter().filter_map(|&c| table.plies(c, moves)).max();
        most(&table.won, true).max(most(&table.lost, false)).unwrap_or(0)
    }

    /// Returns positions with the longest win of a side, one of all images, at most `limit`.
    pub fn hardest(&self, winner: Color, winner_moves: bool, limit: usize) -> Vec<GamePosition> {
        let table = self.table(winner);
        let cells = if winner_moves { &table.won } else { &table.lost };
        let decided = cells.iter().copied().filter(|&cell| cell <= DEPTH_MAX);
        let Some(longest) = decided.max().filter(|&depth| depth > 0) else { return vec![] };
        let turn = if winner_moves { winner } else { !winner };
        let found = each(&table.index).filter(|(at, _)| cells[*at] == longest);
        let canonical =
            found.filter(|&(_, (slot, word, bit))| table.index.is_canonical(slot, word, bit));
        canonical.take(limit).map(|(_, cell)| self.at(winner, turn, cell)).collect()
    }

    /// Returns mutual zugzwangs where the other side than `winner` is to move and loses, and true
    /// for those where the winner to move loses, too.
    pub fn mutual_zugzwangs(&self, winner: Color, limit: usize) -> Vec<(GamePosition, bool)> {
        let found = self.zugzwang_cells(winner);
        found.take(limit).map(|(cell, both)| (self.at(winner, !winner, cell), both)).collect()
    }

    fn zugzwang_cells(&self, winner: Color) -> impl Iterator<Item = (Cell, bool)> {
        let table = self.table(winner);
        let is_won = self.is_won(winner);
        let found = each(&table.index).filter(move |(at, (slot, word, bit))| {
            !is_won
                && (1..=DEPTH_MAX).contains(&table.lost[*at])
                && table.won[*at] == 0
                && table.index.is_canonical(*slot, *word, *bit)
        });
        found.map(move |(_, cell)| {
            let position = self.at(winner, winner, cell);
            let loses = self.distance(&position, !winner).is_ok_and(|plies| plies.is_some());
            (cell, loses)
        })
    }

    /// Returns the statistics of the endgame.
    pub fn statistics(&self) -> Statistics {
        let legal = |cells: &[u8]| self.count(Color::White, cells, |cell| cell != ILLEGAL);
        let white = self.table(Color::White);
        let [mut zugzwangs, mut both] = [[0; 2]; 2];
        for color in Color::ALL {
            for (_, loses) in self.zugzwang_cells(color) {
                let counts = if loses { &mut both } else { &mut zugzwangs };
                counts[color.index()] += 1;
            }
        }
        Statistics {
            material: self.material.to_string(),
            metric: self.metric,
            legal: [legal(&white.won), legal(&white.lost)],
            sides: Color::ALL.map(|color| self.side(color)),
            zugzwangs: Zugzwangs {
                wtm_draw_btm_loss: zugzwangs[0],
                wtm_loss_btm_draw: zugzwangs[1],
                full_point: both[0],
            },
            classes: vec![],
        }
    }

    fn count(&self, winner: Color, cells: &[u8], counts: impl Fn(u8) -> bool) -> Count {
        let index = &self.table(winner).index;
        let mut total = Count::default();
        for (_, (slot, word, bit)) in each(index).filter(|(at, _)| counts(cells[*at])) {
            total.full_board += index.images(slot);
            total.unique += u64::from(index.is_canonical(slot, word, bit));
        }
        total
    }

    fn side(&self, winner: Color) -> SideStatistics {
        let table = self.table(winner);
        let won = |cell: u8| (1..=DEPTH_MAX).contains(&cell);
        let histogram = |cells: &[u8], attacker_moves: bool| {
            let mut counts: Vec<u64> = vec![];
            for (at, (slot, ..)) in each(&table.index) {
                if let Some(plies) = table.plies(cells[at], attacker_moves) {
                    if counts.len() <= plies {
                        counts.resize(plies + 1, 0);
                    }
                    counts[plies] += table.index.images(slot);
                }
            }
            counts
        };
        let mut stalemate = Count::default();
        for &(slot, word, bit) in &table.stalemates {
            let (slot, word) = (usize::from(slot), word as usize);
            stalemate.full_board += table.index.images(slot);
            stalemate.unique += u64::from(table.index.is_canonical(slot, word, bit));
        }
        let longest =
            |moves: bool| self.hardest(winner, moves, 1).first().map(|position| self.fen(position));
        let ended = self.count(winner, &table.won, |cell| cell != ILLEGAL);
        let (wins, won_in) = match self.is_won(winner) {
            true => (ended, vec![ended.full_board]),
            false => (self.count(winner, &table.won, won), histogram(&table.won, true)),
        };
        SideStatistics {
            won: wins,
            lost: self.count(winner, &table.lost, won),
            stalemate,
            won_in,
            lost_in: histogram(&table.lost, false),
            longest_win: longest(true),
            longest_loss: longest(false),
        }
    }
}

/// Iterates over all cells with their coordinates.
pub(super) fn each(index: &PositionIndex) -> impl Iterator<Item = (usize, Cell)> {
    let (words, width) = (index.words, index.axis.squares.len());
    let slots = index.homes.len();
    let cells = (0..slots).flat_map(move |slot| (0..words).map(move |word| (slot, word)));
    let cells =
        cells.flat_map(move |(slot, word)| (0..width as u8).map(move |bit| (slot, word, bit)));
    cells.enumerate()
}
