//! A diagram and its length as words before the keys: `spg solve FEN 2.5`.

use umbrail_proof::files::sheet::length_of;
use umbrail_session::domain::Task;
use umbrail_session::task_error::TaskError;

/// A word with that many ranks is a diagram, perhaps a wrong one, whose faults are reported rank by rank.
const RANKS: std::ops::RangeInclusive<usize> = 6..=10;

/// The task with a diagram before its keys turned into the keys `fen` and `moves`, as if these had been given.
///
/// The diagram is a FEN of one to six fields; its length in moves, with half a move (`2.5`, `23.0`), follows. A whole
/// number is refused, since problem files count half-moves where the key `moves` counts moves.
///
/// # Errors
/// A word that belongs neither to a FEN nor is a length; a diagram or a length that is given twice.
pub fn with_diagram_keys(mut task: Task) -> Result<Task, TaskError> {
    split_text(&mut task);
    if !task.subject.first().is_some_and(|word| is_diagram(word)) {
        return Ok(task);
    }
    let words = std::mem::take(&mut task.subject);
    let fields = fields_of_fen(&words);
    let (fen, rest) = words.split_at(fields);
    if task.key("fen").is_some() {
        return Err(TaskError::expected("a diagram before the keys, or the key fen").got("both"));
    }
    task.keys.push(("fen", fen.join(" ")));
    match rest {
        [] => {}
        [length] if task.key("moves").or(task.key("plies")).is_some() => {
            return Err(TaskError::expected("one length").got(format_args!("also {length}")));
        }
        [length] if length.bytes().all(|byte| byte.is_ascii_digit()) => {
            return Err(format!(
                "{length} may be moves or half-moves, write {length}.0 for moves or --plies {length} for half-moves"
            )
            .into());
        }
        [length] if length_of(length).is_some() => task.keys.push(("moves", length.clone())),
        [word, ..] => {
            return Err(TaskError::expected("a FEN and a length such as 2.5").got(word));
        }
    }
    Ok(task)
}

/// Takes a diagram and its length from the beginning of a text, as in `spg check FEN 2.5 1.d4 Nf6`.
fn split_text(task: &mut Task) {
    if !matches!(task.verb, "check" | "explain") || task.key("fen").is_some() {
        return;
    }
    let words: Vec<String> =
        task.text.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
    if !words.first().is_some_and(|word| is_diagram(word)) {
        return;
    }
    let fields = fields_of_fen(&words);
    // The number of a move is no length: `1.d4`, `1. d4`.
    let is_length = |word: &String| word.contains(['.', ',']) && !word.ends_with('.');
    let is_length =
        words.get(fields).is_some_and(|word| is_length(word) && length_of(word).is_some());
    let (diagram, rest) = words.split_at(fields + usize::from(is_length));
    task.subject = diagram.to_vec();
    task.text = (!rest.is_empty()).then(|| rest.join(" "));
}

/// Whether a word is rather a diagram than the name of a file: many ranks between slashes, each there, without a point.
fn is_diagram(word: &str) -> bool {
    let ranks: Vec<&str> = word.split('/').collect();
    RANKS.contains(&ranks.len()) && !ranks.contains(&"") && !word.contains('.')
}

/// How many of the words are fields of a FEN. The counters of moves come in a pair, so a single number is a length.
fn fields_of_fen(words: &[String]) -> usize {
    let is = |at: usize, of: fn(&str) -> bool| words.get(at).is_some_and(|word| of(word));
    let number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let color = |word: &str| matches!(word, "w" | "b");
    let castling = |word: &str| word == "-" || word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let square = |word: &str| word == "-" || matches!(word.as_bytes(), [b'a'..=b'h', b'3' | b'6']);
    match () {
        () if !is(1, color) => 1,
        () if !is(2, castling) => 2,
        () if !is(3, square) => 3,
        () if is(4, number) && is(5, number) => 6,
        () => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::with_diagram_keys;
    use umbrail_session::domain::{Domain, Task};

    const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    fn read(words: &str, keys: &[(&'static str, &str)]) -> Result<Task, String> {
        let subject = words.split(' ').map(str::to_owned).collect();
        let keys = keys.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        let task = Task { domain: Domain::Spg, verb: "solve", subject, keys, text: None };
        with_diagram_keys(task).map_err(|error| error.to_string())
    }

    #[test]
    fn a_diagram_of_any_number_of_fields_takes_its_length_with_it() {
        for fields in ["", " w", " w KQkq", " w KQkq -", " b - e3 0 17"] {
            for length in ["", " 2.5", " 23.0"] {
                let task = read(&format!("{ARRAY}{fields}{length}"), &[]).unwrap();
                assert_eq!(task.key("fen"), Some(&*format!("{ARRAY}{fields}")), "{fields}{length}");
                assert_eq!(task.key("moves").unwrap_or_default(), length.trim());
                assert!(task.subject.is_empty());
            }
        }
        for file in ["problems.txt", "/a/b/c/d/e/f/g", "../a/b/c/d/e/f/g", "a/b"] {
            assert_eq!(read(file, &[]).unwrap().subject, [file]);
        }
        // A wrong diagram is one all the same.
        let wrong = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP 2.5", &[]).unwrap();
        assert!(wrong.subject.is_empty());
    }

    #[test]
    fn a_game_may_follow_its_diagram() {
        let game = "1.d4 Nf6 2. Bf4";
        for (before, length) in [(" 1.5 ", Some("1.5")), (" w - - ", None), (" ", None)] {
            let text = Some(format!("{ARRAY}{before}{game}"));
            let task =
                Task { domain: Domain::Spg, verb: "check", subject: vec![], keys: vec![], text };
            let task = with_diagram_keys(task).unwrap();
            assert_eq!((task.key("moves"), task.text.as_deref()), (length, Some(game)), "{before}");
            assert!(task.key("fen").is_some_and(|fen| fen.starts_with(ARRAY)));
        }
    }

    #[test]
    fn what_may_be_meant_in_two_ways_is_refused() {
        let refused =
            |words: &str, keys: &[_]| read(&format!("{ARRAY} {words}"), keys).unwrap_err();
        let whole = refused("w KQkq - 3", &[]);
        assert!(whole.contains("3.0 for moves or --plies 3"), "{whole}");
        assert!(refused("2.5", &[("plies", "5")]).contains("one length"));
        assert!(refused("2.5", &[("fen", ARRAY)]).contains("both"));
        assert!(refused("2.5 3.5", &[]).contains("2.5"), "{}", refused("2.5 3.5", &[]));
        assert!(refused("white", &[]).contains("white"));
    }
}
