//! Canonical notation of conditions, which archives compare.

use super::{Comparison, Condition, FateCondition, Formula, PathCondition, PathStep, Who};
use crate::problem::castling::castled_square;
use crate::problem::piece::{PieceId, letter};
use std::fmt;
use umbrail_chess::geometry::Square;

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::And(parts) => joined(parts, " AND ", f),
            Self::Or(parts) => joined(parts, " OR ", f),
            Self::Not(one) => {
                f.write_str("NOT ")?;
                part(one, f)
            }
            Self::FreeMoves(color, comparison, number) => {
                write!(f, "fm:{}{comparison}{number}", if color.is_white() { 'w' } else { 'b' })
            }
            Self::Captures(who, comparison, number) => write!(f, "cc:{who}{comparison}{number}"),
            Self::Moves(who, comparison, number) => write!(f, "ml:{who}{comparison}{number}"),
            Self::Path(path) => path.fmt(f),
        }
    }
}

fn joined(parts: &[Formula], word: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (at, one) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(word)?;
        }
        part(one, f)?;
    }
    Ok(())
}

/// Writes a formula, in brackets if it has several parts.
fn part(one: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match one {
        Formula::And(_) | Formula::Or(_) => write!(f, "({one})"),
        _ => fmt::Display::fmt(one, f),
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Equal => "=",
            Self::AtLeast => ">=",
            Self::More => ">",
        })
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.castled {
            Some(wing) => {
                write!(f, "{}{}", letter(self.piece.role()), castled_square(self.piece, wing))
            }
            None => self.piece.fmt(f),
        }
    }
}

impl fmt::Display for PathCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.who.fmt(f)?;
        if let Some(wing) = self.who.castled {
            // The castling itself, so that it is not confused with a first step to its square.
            write!(f, "-{}", castled_square(self.who.piece, wing))?;
        }
        self.segments.iter().try_for_each(|step| step.fmt(f))?;
        if self.stays {
            f.write_str("<")?;
        }
        match self.fate {
            None => Ok(()),
            Some(FateCondition::Alive) => f.write_str(".a"),
            Some(FateCondition::Dead) => f.write_str(".d"),
            Some(FateCondition::TakenBy(piece)) => write!(f, ".{piece}:"),
        }
    }
}

impl fmt::Display for PathStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let taken =
            |piece: Option<PieceId>, square: Option<Square>, f: &mut fmt::Formatter<'_>| match (
                piece, square,
            ) {
                (Some(piece), Some(square)) => write!(f, "{piece} {square}"),
                (Some(piece), None) => piece.fmt(f),
                (None, square) => square.map_or(Ok(()), |square| square.fmt(f)),
            };
        match *self {
            Self::To(square) => write!(f, "-{square}"),
            Self::Takes(piece, square) => {
                f.write_str("x")?;
                taken(piece, square, f)
            }
            Self::Reaches(square) => write!(f, "_{square}"),
            Self::Visits(square) => write!(f, "__{square}"),
            Self::TakesLater(piece, square) => {
                f.write_str("_x")?;
                taken(piece, square, f)
            }
            Self::Promotes(role) => write!(f, "={}", letter(role)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Condition;

    #[test]
    fn what_is_written_is_read_back() {
        let rows = "Sb1-c4|Sb1xb1|Sb1xQd8|Sb1_c4|Sb1_xc4|Sb1__c4|Sb1.a|Sb1.d|Sb1<.Qd8:|Pa2xQd8 b5|Pa2=R|\
            Pa2-a8=R|Pa2xb5=R-c4<|Kg1-g1-h2<|Kc1-c1-c1<|Kg8-g8<.a|Rd1_xQd8 d8|fm:w>=5|cc:Sb1>=3|ml:Sb1<5|\
            Pc2-c8=B-e6<.Pf7: AND Ra1-a4<.a|Pa2xSg8_b8=RxQd8_c4.a|NOT Sb1<.a AND fm:b=0|\
            (Sb1.a OR Sg1.d) AND NOT (cc:Kg1=0 OR ml:Rf1>2)|NOT NOT Sb1.a";
        for row in rows.split('|') {
            let condition: Condition = row.parse().unwrap();
            let written = condition.to_string();
            assert_eq!(written.parse(), Ok(condition.clone()), "{row}: {written}");
            assert_eq!(written.parse::<Condition>().unwrap().to_string(), written);
        }
        let spelled: Condition = " not  Ng1-f3  and Pa2|b3 ".trim().parse().unwrap();
        assert_eq!(spelled.to_string(), "NOT Sg1-f3 AND Pa2_b3");
    }
}
