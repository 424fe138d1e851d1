//! Numbers of ranks: XBoard counts the ten ranks of a board from 0, those of any other board from 1.

use std::borrow::Cow;
use umbrail_session::event::FromTable;
use umbrail_session::{Command, Event, Play};

/// Games with ten ranks by name; other boards have their size in their name.
const TEN_RANKS: [&str; 2] = ["grand", "xiangqi"];

/// Numbers of the ranks in the current variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RankNumbers {
    /// The first rank is 1.
    #[default]
    FromOne,
    /// The first rank is 0.
    FromZero,
}

impl RankNumbers {
    /// Follows the variant of the game.
    pub(super) fn notice(&mut self, play: &Play) {
        match play {
            Play::New => *self = Self::FromOne,
            Play::Variant(name) => *self = Self::of(name),
            _ => {}
        }
    }

    fn of(variant: &str) -> Self {
        let board = variant.split('+').next().unwrap_or_default();
        let sized = board.split_once('x').is_some_and(|(_, ranks)| ranks == "10");
        if sized || TEN_RANKS.contains(&variant) { Self::FromZero } else { Self::FromOne }
    }

    /// Changes the moves of a command to ranks from 1.
    pub(super) fn read(self, command: &mut Command) {
        if self == Self::FromOne {
            return;
        }
        if let Command::Play(
            Play::Move(text) | Play::Exclude(Some(text)) | Play::Include(Some(text)),
        ) = command
        {
            *text = shifted(text, 1);
        }
    }

    /// Returns the event with moves as XBoard reads them.
    pub(super) fn written(self, event: &Event) -> Cow<'_, Event> {
        if self == Self::FromOne {
            return Cow::Borrowed(event);
        }
        let mut event = event.clone();
        match &mut event {
            Event::FromTable(FromTable::Moved(text) | FromTable::Hint(text)) => {
                *text = shifted(text, -1);
            }
            Event::FromTable(FromTable::Line { pv, .. }) => {
                pv.iter_mut().for_each(|text| *text = shifted(text, -1));
            }
            Event::Illegal { given, why } => {
                *given = shifted(given, -1);
                *why = shifted(why, -1);
            }
            _ => {}
        }
        Cow::Owned(event)
    }
}

/// Adds to the numbers of all ranks in a text: numbers after a single small letter.
fn shifted(text: &str, by: i32) -> String {
    let mut shifted = String::new();
    let mut rest = text;
    let mut word_start = true;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        shifted.push(first);
        rest = after;
        let is_file = first.is_ascii_lowercase() && word_start;
        word_start = !first.is_alphanumeric();
        if is_file && let Ok(number) = after[..digits].parse::<i16>() {
            shifted.push_str(&(i32::from(number) + by).to_string());
            rest = &after[digits..];
            // The second square of a move follows the first one.
            word_start = true;
        }
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::{RankNumbers, shifted};

    #[test]
    fn ranks_of_moves_and_reasons_are_shifted() {
        assert_eq!(shifted("e0e9", 1), "e1e10");
        assert_eq!(shifted("c4d5,d5e4", 1), "c5d6,d6e5");
        assert_eq!(shifted("e10e1q", -1), "e9e0q");
        let why = "the R on e10 cannot go there";
        assert_eq!(shifted(why, -1), "the R on e9 cannot go there");
        assert_eq!(shifted("dtm 12 \u{fc} 3 a99999999999", -1), "dtm 12 \u{fc} 3 a99999999999");
    }

    #[test]
    fn boards_of_ten_ranks_count_from_0() {
        for (name, expected) in [
            ("xiangqi", RankNumbers::FromZero),
            ("8x10+0_fairy", RankNumbers::FromZero),
            ("10x8+0_fairy", RankNumbers::FromOne),
            ("8x11+0_fairy", RankNumbers::FromOne),
            ("capablanca", RankNumbers::FromOne),
        ] {
            assert_eq!(RankNumbers::of(name), expected, "{name}");
        }
    }
}
