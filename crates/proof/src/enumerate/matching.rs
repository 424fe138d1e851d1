//! Matchings: for each pawn of a color, the partition value of its end, or its capture.

use crate::enumerate::ends::EndAssignment;
use crate::problem::piece::PieceId;
use crate::problem::value::PartitionValue;
use crate::strategy::Strategy;
use crate::strategy::route::End;
use std::collections::HashSet;
use std::fmt;
use umbrail_chess::geometry::Color;

/// Partition values of the ends of the eight pawns of a color, from the a-file; `None` for captured
/// pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Matching(pub [Option<PartitionValue>; 8]);

impl Matching {
    /// Returns the matching of a strategy.
    pub fn of(strategy: &Strategy, color: Color) -> Self {
        Self(std::array::from_fn(|file| {
            let piece = PieceId::new(16 * color as u8 + 8 + file as u8);
            let route = strategy.route(piece);
            match route.end {
                End::Rest(square) => Some(PartitionValue::of(route.last_role(piece), square)),
                End::Dead { .. } => None,
            }
        }))
    }

    pub(crate) fn of_ends(ends: &EndAssignment) -> Self {
        Self(std::array::from_fn(|file| {
            ends.squares[8 + file].map(|(square, role)| PartitionValue::of(role, square))
        }))
    }

    /// Returns the distinct matchings of a list of end assignments, in the order of the list.
    pub(crate) fn all(list: &[EndAssignment]) -> Vec<Self> {
        let mut known = HashSet::new();
        list.iter().map(Self::of_ends).filter(|&matching| known.insert(matching)).collect()
    }
}

impl fmt::Display for Matching {
    /// Writes `{P,Q,P,P,-,P,BB,P}`: WB and BB are bishops on white and black squares.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (file, value) in self.0.iter().enumerate() {
            f.write_str(if file == 0 { "{" } else { "," })?;
            f.write_str(match value {
                None => "-",
                Some(PartitionValue::King) => "K",
                Some(PartitionValue::Queen) => "Q",
                Some(PartitionValue::Rook) => "R",
                Some(PartitionValue::LightBishop) => "WB",
                Some(PartitionValue::DarkBishop) => "BB",
                Some(PartitionValue::Knight) => "S",
                Some(PartitionValue::Pawn) => "P",
            })?;
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game_of, project};

    #[test]
    fn a_strategy_has_a_matching_for_each_color() {
        let game = game_of("a4 b5 axb5 a6 bxa6 c6 a7 Qc7 axb8=N Qxb8").unwrap();
        let strategy = project(&game).unwrap();
        let reported = |color| Matching::of(&strategy, color).to_string();
        assert_eq!(reported(Color::White), "{-,P,P,P,P,P,P,P}");
        assert_eq!(reported(Color::Black), "{-,-,P,P,P,P,P,P}");
        let game = game_of("h4 g5 hxg5 Nf6 g6 Nd5 g7 Nf6 gxh8=B Ng8").unwrap();
        let strategy = project(&game).unwrap();
        assert_eq!(Matching::of(&strategy, Color::White).to_string(), "{P,P,P,P,P,P,P,BB}");
    }
}
