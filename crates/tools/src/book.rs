//! Files of openings: a position on each line, as FEN or EPD.

use std::path::{Path, PathBuf};
use umbrail_chess::Position;
use umbrail_chess::geometry::Setup;
use umbrail_control::{ReadError, read_text};

/// Reason why a file of openings cannot be used.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line is not a position.
    #[error("{}:{line}: expected a position", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
    },
    /// The file has no line.
    #[error("{}: expected positions, one a line", .0.display())]
    Empty(PathBuf),
}

/// Reads the positions of a file of openings. Empty lines are skipped, counters and operations ignored.
///
/// # Errors
/// [`BookError`], which names file and line.
pub(crate) fn positions(path: &Path) -> Result<Vec<Position>, BookError> {
    let text = read_text(path, &|| false)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let position = |(number, line): (usize, &str)| {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let setup = fields.join(" ").parse::<Setup>().ok();
        let position = setup.and_then(|setup| Position::try_from(&setup).ok());
        position.ok_or_else(|| BookError::Line { path: path.to_owned(), line: number })
    };
    let all = lines.map(position).collect::<Result<Vec<_>, _>>()?;
    if all.is_empty() { Err(BookError::Empty(path.to_owned())) } else { Ok(all) }
}

#[cfg(test)]
mod tests {
    use super::{BookError, positions};

    #[test]
    fn lines_are_positions_and_a_wrong_one_is_named() {
        let path = std::env::temp_dir().join(format!("umbrail-book-{}.epd", std::process::id()));
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            positions(&path)
        };
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"one\";";
        assert_eq!(read(&format!("{line}\n\n{line}\n")).unwrap().len(), 2);
        let wrong = BookError::Line { path: path.clone(), line: 3 };
        assert_eq!(read(&format!("{line}\n\n8/8 w\n")).unwrap_err(), wrong);
        assert_eq!(read("\n").unwrap_err(), BookError::Empty(path.clone()));
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(positions(&path), Err(BookError::Read(_))));
    }
}
