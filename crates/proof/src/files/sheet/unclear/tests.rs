//! Lines that are comments, and lines that are not.

use super::{UnclearLine, unclear};
use crate::check::random::SplitMix;
use crate::files::sheet::read;

#[test]
fn twins_lengths_stipulations_and_conditions_are_no_comments() {
    use UnclearLine::{Condition, Diagram, Length, Solutions, Stipulation, Twin};
    let length = |plies| Length { plies, bare: false };
    for (text, meaning) in [
        ("b) Qd8->e8", Twin),
        ("b) Qd8 -> e8", Twin),
        ("(b) Pa2 to a3", Twin),
        ("a) diagram b) wPa2-a3", Twin),
        ("diagram & b) Sg1 removed", Twin),
        ("B) 4.0", Twin),
        ("c)=b) without Pa2", Twin),
        ("Qd8->e8", Twin),
        ("wKe1==>e2", Twin),
        ("Sb1 <--> Bc1", Twin),
        ("a1 → h8", Twin),
        ("Twin: Qd8 to e8", Twin),
        ("zero position", Twin),
        ("Zeroposition", Twin),
        ("remove Sg1", Twin),
        ("Exchange b1 c1", Twin),
        ("ohne wBa2", Twin),
        ("Qd8 nach e8", Twin),
        ("rotate 180", Twin),
        ("+Bf1", Condition),
        ("-wPa2", Condition),
        ("+ Sb1", Condition),
        ("Condition Circe", Condition),
        ("Circe", Condition),
        ("AntiCirce Cheylan", Condition),
        ("Losing chess", Condition),
        ("Take&MakeChess", Condition),
        ("3.5", length(7)),
        ("PG in 3.5", length(7)),
        ("7", Length { plies: 7, bare: true }),
        ("3.5 and 4.0", Stipulation),
        ("3,5; 4,0", Stipulation),
        ("7 9", Stipulation),
        ("2. PG in 3.5", Stipulation),
        ("2) SPG in 3", Stipulation),
        ("also in 3.5 moves", Stipulation),
        ("the second solution in 4.0", Stipulation),
        ("b: 3.5", Twin),
        ("b: PG in 3", Twin),
        ("PG 17½", length(35)),
        ("17½", length(35)),
        ("PG in 5.5, 2 solutions", Stipulation),
        ("BP in 2,5 Zügen", length(5)),
        ("ser-dia5", Stipulation),
        ("PG 17¼", Stipulation),
        ("Stipulation dia3.0", Stipulation),
        ("Proof game in 9.0 (Circe)", Stipulation),
        ("duplex", Stipulation),
        ("2 solutions", Solutions),
        ("zwei Lösungen", Solutions),
        ("b rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR 4", Diagram),
    ] {
        assert_eq!(unclear(text), Some(meaning), "{text}");
    }
}

#[test]
fn comments_stay_comments() {
    for text in [
        "Unto Heinonen",
        "Title first",
        "1. Prize",
        "1st Prize, Probleemblad 1998",
        "Probleemblad 1998",
        "1998",
        "12/1998",
        "27.5.1998",
        "BP 2010",
        "(c) 1998 by the author",
        "Problemesis (May) 2001",
        "a problem of mine",
        "A. Author (b. 1950)",
        "see variant (b) of the article",
        "1.e4 e5 2.Nf3 Nc6",
        "C+ Stelvio 4.0 in 3.5 s",
        "tested with Euclide 1.11, version 2.0",
        "BP 12/1998",
        "a game of 12 men",
        "4.0-0 0-0 5.Bc4",
        "1.Pd2-d4 Sg8-f6 2.Bc1-f4 Sf6-d5 3.Bf4xc7",
        "w: Sg1-f3, Pf2-f4",
        "b: Pf7-f5",
        "14+13",
        "16+15 C+",
        "C+ Stelvio",
        "- a dash",
        "Moves of the knight to c3",
        "Losing a tempo",
        "Grid computing was used",
        "Proof games by A. Author",
        "Pieces on their home squares",
        "Game 5 of the match",
        "and/or 1/2 1-0/0-1",
        "https://example.org/a/b/c/d/e/f/g",
        "# b) Qd8->e8",
        "% PG in 3.5",
        "; 2 solutions",
        "// +Bf1",
    ] {
        assert_eq!(unclear(text), None, "{text}");
    }
}

#[test]
fn any_line_of_any_letters_is_read() {
    let letters: Vec<char> = "ab)(->→½é+=/:.,#1235 PGinQwdia\n".chars().collect();
    let mut dice = SplitMix::new(7);
    for _ in 0..20_000 {
        let text: String = (0..dice.roll(24)).map(|_| letters[dice.roll(letters.len())]).collect();
        let _ = unclear(&text);
        let below = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR 4\n{text}\n");
        assert!(!read(&below).is_empty(), "{text}");
    }
}
