//! A gauntlet: this program against rated engines, one match each, and what rating that means.
//!
//! The estimate is the rating at which the expected score (logistic, 400 Elo for 10 to 1) equals the
//! score made. Its interval comes from the spread of single games, wins, draws and losses as they
//! happened; the ratings of the others are taken as exact, which they are not.

use super::Bench;
use super::engine_match::{Ending, EngineMatch, FaultPolicy, Side, absolute};
use super::error::LabError;
use super::journal::{RIVAL, Row};
use super::records::LabRecord;
use std::path::PathBuf;

/// An opponent with a rating.
#[derive(Debug, PartialEq)]
struct Rival {
    name: String,
    rating: f64,
    command: PathBuf,
}

impl Rival {
    fn label(&self) -> String {
        format!("{RIVAL}{}", self.name.replace(' ', "-"))
    }

    fn read(text: &str) -> Result<Self, LabError> {
        let expects = || LabError::option("--rival", "NAME=RATING=COMMAND", text);
        let mut parts = text.splitn(3, '=');
        let (Some(name), Some(rating), Some(command)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(expects());
        };
        let rating = rating.trim().parse().map_err(|_| expects())?;
        if name.is_empty() || name.contains(',') || command.is_empty() {
            return Err(expects());
        }
        Ok(Self { name: name.to_owned(), rating, command: command.into() })
    }
}

/// Plays all matches and prints the estimate.
pub(super) fn run(texts: &[String], bench: &Bench) -> Result<(), LabError> {
    let rivals: Vec<Rival> =
        texts.iter().map(|text| Rival::read(text)).collect::<Result<_, _>>()?;
    let mut journal = bench.journal()?;
    for control in bench.controls(Ending::Games)? {
        let mut played: Vec<(f64, Row)> = vec![];
        for rival in &rivals {
            let dev = bench.side("umbrail", bench.dev.as_ref())?;
            // Only what every engine knows.
            let options = vec![("Hash".to_owned(), bench.hash.to_string())];
            let command = absolute(&rival.command)?;
            let base = Side { name: rival.name.clone(), command, options };
            let engine_match = EngineMatch {
                fault_policy: FaultPolicy::Stranger,
                ..bench.engine_match(&rival.label(), dev, base, &control)?
            };
            played.extend(
                bench.measure(&mut journal, &engine_match, "off")?.map(|row| (rival.rating, row)),
            );
        }
        let of_rivals: Vec<(f64, &Row)> =
            played.iter().map(|(rating, row)| (*rating, row)).collect();
        if let Some((rating, error)) = estimate(&of_rivals) {
            let text = format!(
                "estimate at {}: {rating:.0}, 95 % from {:.0} to {:.0}\n",
                control.name,
                rating - error,
                rating + error
            );
            let control = control.name.clone();
            let record = LabRecord::Rating { control, elo: rating, elo_error: error };
            umbrail_server::print_record(&record, &text);
        }
    }
    bench.page(&journal)
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
}

/// Rating and half width of the 95 % interval; none without games, or when all were won or lost.
fn estimate(played: &[(f64, &Row)]) -> Option<(f64, f64)> {
    let score = |row: &Row| f64::from(row.wins) + f64::from(row.draws) / 2.0;
    let made: f64 = played.iter().map(|(_, row)| score(row)).sum();
    let games: f64 = played.iter().map(|(_, row)| f64::from(row.games)).sum();
    if made <= 0.0 || made >= games {
        return None;
    }
    let hoped = |rating: f64| -> f64 {
        played.iter().map(|(other, row)| f64::from(row.games) * expected(rating - other)).sum()
    };
    let (mut low, mut high) = (-2_000.0, 6_000.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if hoped(middle) < made { low = middle } else { high = middle }
    }
    let rating = (low + high) / 2.0;
    // d(rating) = d(score) / slope, and the variance of the score adds up over games.
    let (mut slope, mut variance) = (0.0, 0.0);
    for (other, row) in played {
        let chance = expected(rating - other);
        let games = f64::from(row.games);
        slope += games * chance * (1.0 - chance) * 10_f64.ln() / 400.0;
        let mean = score(row) / games;
        let square = (f64::from(row.wins) + f64::from(row.draws) / 4.0) / games;
        variance += games * (square - mean * mean).max(0.0);
    }
    Some((rating, 1.96 * variance.sqrt() / slope))
}

#[cfg(test)]
mod tests {
    use super::{Rival, Row, estimate};

    fn row(wins: u32, losses: u32, draws: u32) -> Row {
        Row { games: wins + losses + draws, wins, losses, draws, ..Row::default() }
    }

    #[test]
    fn an_even_score_means_the_mean_rating() {
        let even = row(40, 40, 20);
        let (rating, error) = estimate(&[(2_700.0, &even), (2_900.0, &even)]).unwrap();
        assert!((rating - 2_800.0).abs() < 0.5, "{rating}");
        assert!(error > 30.0 && error < 60.0, "{error}");
        let (better, _) = estimate(&[(2_700.0, &row(60, 20, 20))]).unwrap();
        assert!((better - 2_700.0 - 147.0).abs() < 2.0, "{better}");
        assert_eq!(estimate(&[(2_700.0, &row(9, 0, 0))]), None);
        assert_eq!(estimate(&[]), None);
    }

    #[test]
    fn rivals_are_read() {
        let rival = Rival::read("Stash 21.2=2713=/opt/stash=21/stash").unwrap();
        assert_eq!((rival.name.as_str(), rival.rating), ("Stash 21.2", 2_713.0));
        assert_eq!(rival.command.to_str(), Some("/opt/stash=21/stash"));
        for text in ["", "a=b=c", "a=1", "=1=c"] {
            assert!(Rival::read(text).unwrap_err().to_string().contains("--rival"), "{text}");
        }
    }
}
