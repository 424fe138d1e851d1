//! `umbrail genfens`: random openings, in the form that OpenBench's clients ask for.

use super::book::{BookError, positions};
use super::records::ToolRecord;
use clap::Args;
use std::path::PathBuf;
use umbrail_chess::Position;
use umbrail_search::SearchParams;
use umbrail_server::{complain, print_record};
use umbrail_training::openings;

/// What to generate.
#[derive(Args)]
#[command(after_help = "Example: umbrail genfens 3 seed 42 book None")]
pub struct Genfens {
    /// Number of openings, then `seed N`, and `book FILE` (positions, one a line) or `book None`
    #[arg(value_name = "WORD", num_args = 1.., required = true)]
    words: Vec<String>,
}

/// Reason why there are no openings.
#[derive(Debug, PartialEq, thiserror::Error)]
enum GenfensError {
    /// A word is not expected.
    #[error("genfens expects COUNT [seed N] [book FILE|None], got \"{0}\"")]
    Word(String),
    /// The book cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// Prints the openings, each as `info string genfens FEN`.
pub fn run(wish: &Genfens, params: &SearchParams) -> u8 {
    let (count, seed, book) = match read(&wish.words) {
        Ok(wish) => wish,
        Err(error) => return complain(&error.to_string()),
    };
    let book = match book.as_deref().map_or(Ok(vec![]), positions) {
        Ok(book) => book,
        Err(error) => return complain(&error.to_string()),
    };
    match openings(count, seed, &book, params) {
        Ok(openings) => {
            let print = |position: &Position| {
                let fen = position.to_setup().to_string();
                let line = format!("info string genfens {fen}\n");
                print_record(&ToolRecord::Opening { fen }, &line)
            };
            openings.iter().map(print).max().unwrap_or(0)
        }
        Err(error) => complain(&error.to_string()),
    }
}

/// Reads the number of openings, the seed and the file of the book. OpenBench may append further words.
fn read(words: &[String]) -> Result<(usize, u64, Option<PathBuf>), GenfensError> {
    let wrong = |word: &str| GenfensError::Word(word.to_owned());
    let mut words = words.iter().map(String::as_str);
    let first = words.next().unwrap_or_default();
    let count = first.parse().map_err(|_| wrong(first))?;
    let (mut seed, mut book) = (0, None);
    while let Some(key) = words.next() {
        let value = words.next().ok_or_else(|| wrong(key))?;
        match key {
            "seed" => seed = value.parse().map_err(|_| wrong(value))?,
            "book" if value.eq_ignore_ascii_case("none") => book = None,
            "book" => book = Some(PathBuf::from(value)),
            _ => return Err(wrong(key)),
        }
    }
    Ok((count, seed, book))
}

#[cfg(test)]
mod tests {
    use super::{GenfensError, read};
    use std::path::PathBuf;

    #[test]
    fn the_words_of_openbench_are_read() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(read(&words("100 seed 42 book None")), Ok((100, 42, None)));
        let book = Some(PathBuf::from("b.epd"));
        assert_eq!(read(&words("7 book b.epd seed 1")), Ok((7, 1, book)));
        for wrong in ["many", "5 seed x", "5 seed", "5 colour red"] {
            assert!(matches!(read(&words(wrong)), Err(GenfensError::Word(_))), "{wrong}");
        }
    }
}
