//! Surveys and comparisons: one table of mating potential for many materials.

use super::stats::Statistics;
use std::fmt::Write;
use umbrail_chess::geometry::Color;

/// Reason why patterns were not expanded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The patterns have no `?`.
    #[error("pattern \"{0}\" must have a ? for each piece to vary")]
    NoHole(String),
    /// This pattern has more combinations than the limit, or none.
    #[error(
        "pattern \"{pattern}\" over {letters} letters gives more than {limit} endgames, or none"
    )]
    Count {
        /// Offending pattern.
        pattern: String,
        /// Number of letters to choose from.
        letters: usize,
        /// Maximum number of combinations.
        limit: usize,
    },
}

/// Expands patterns such as `K?.K?` over letters, with commas between them: each `?` becomes each
/// of the letters, in all combinations. Blanks are dropped, so `K? .K?` is equivalent.
///
/// # Errors
/// [`PatternError`] when there is no `?`, or there are more combinations than `limit`.
pub fn expand(patterns: &str, letters: &[char], limit: usize) -> Result<Vec<String>, PatternError> {
    let patterns: String = patterns.chars().filter(|c| !c.is_whitespace()).collect();
    if !patterns.contains('?') {
        return Err(PatternError::NoHole(patterns));
    }
    let mut all = Vec::new();
    for pattern in patterns.split(',') {
        all.extend(expand_one(pattern, letters, limit - all.len())?);
    }
    Ok(all)
}

fn expand_one(pattern: &str, letters: &[char], limit: usize) -> Result<Vec<String>, PatternError> {
    let holes = pattern.matches('?').count() as u32;
    let count = letters.len().checked_pow(holes).filter(|&n| n <= limit);
    let Some(count) = count.filter(|&n| n > 0) else {
        let (pattern, letters) = (pattern.to_owned(), letters.len());
        return Err(PatternError::Count { pattern, letters, limit });
    };
    let name = |number: usize| {
        let mut rest = number;
        let fill = |c: char| {
            if c != '?' {
                return c;
            }
            let letter = letters[rest % letters.len()];
            rest /= letters.len();
            letter
        };
        pattern.chars().map(fill).collect::<String>()
    };
    Ok((0..count).map(name).collect())
}

/// Heading of a survey.
pub const HEADING: &str =
    "endgame      wtm won %  btm lost %  max plies  btm won %  wtm lost %  max plies  zugzwangs";

/// Returns one line of a survey: shares of legal positions, longest wins in plies, mutual
/// zugzwangs.
pub fn row(statistics: &Statistics) -> String {
    let percent = |part: u64, legal: u64| {
        if legal == 0 { 0.0 } else { 100.0 * part as f64 / legal as f64 }
    };
    let [wtm, btm] = statistics.legal.map(|c| c.full_board);
    let [white, black] = &statistics.sides;
    let z = statistics.zugzwangs;
    let mut text = String::new();
    let _ = write!(
        text,
        "{:<12} {:>9.2}  {:>10.2}  {:>9}  {:>9.2}  {:>10.2}  {:>9}  {:>9}",
        statistics.material,
        percent(white.won.full_board, wtm),
        percent(white.lost.full_board, btm),
        statistics.max_win(Color::White),
        percent(black.won.full_board, btm),
        percent(black.lost.full_board, wtm),
        statistics.max_win(Color::Black),
        z.wtm_draw_btm_loss + z.wtm_loss_btm_draw + z.full_point,
    );
    text
}

/// Returns the differences between two statistics, one line each; empty when all figures agree.
pub fn compare(one: &Statistics, other: &Statistics) -> Vec<String> {
    let mut lines = Vec::new();
    let mut figure = |name: &str, a: u64, b: u64| {
        if a != b {
            lines.push(format!("{name}: {a} in {}, {b} in {}", one.material, other.material));
        }
    };
    let names = [("wtm", "btm"), ("btm", "wtm")];
    for (color, (winner, loser)) in Color::ALL.into_iter().zip(names) {
        let at = color.index();
        let (a, b) = (&one.sides[at], &other.sides[at]);
        figure(&format!("{winner} legal"), one.legal[at].full_board, other.legal[at].full_board);
        figure(&format!("{winner} won"), a.won.full_board, b.won.full_board);
        figure(&format!("{loser} lost"), a.lost.full_board, b.lost.full_board);
        figure(&format!("{loser} stalemate"), a.stalemate.full_board, b.stalemate.full_board);
        figure(
            &format!("longest {winner} win"),
            one.max_win(color) as u64,
            other.max_win(color) as u64,
        );
        for ply in 0..a.won_in.len().max(b.won_in.len()) {
            let count = |list: &[u64]| list.get(ply).copied().unwrap_or(0);
            figure(&format!("{winner} won in {ply}"), count(&a.won_in), count(&b.won_in));
        }
        for ply in 0..a.lost_in.len().max(b.lost_in.len()) {
            let count = |list: &[u64]| list.get(ply).copied().unwrap_or(0);
            figure(&format!("{loser} lost in {ply}"), count(&a.lost_in), count(&b.lost_in));
        }
    }
    let (a, b) = (one.zugzwangs, other.zugzwangs);
    figure("zugzwangs wtm draw", a.wtm_draw_btm_loss, b.wtm_draw_btm_loss);
    figure("zugzwangs btm draw", a.wtm_loss_btm_draw, b.wtm_loss_btm_draw);
    figure("zugzwangs full point", a.full_point, b.full_point);
    lines
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn patterns_expand_over_all_letters() {
        let names = expand("K? .K?", &['Q', 'R'], 100).unwrap();
        assert_eq!(names, ["KQ.KQ", "KR.KQ", "KQ.KR", "KR.KR"]);
        assert!(expand("KQ.K", &['Q'], 100).is_err());
        assert!(expand("K????.K", &['Q', 'R', 'B', 'N'], 100).is_err());
        assert!(expand("K?.K", &[], 100).is_err());
    }
}
