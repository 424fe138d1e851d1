//! Archives that state what nobody found: made by hand, or with games cut out, under right checksums.

use super::{SHORT, folder, json, read, run, spg, write};
use umbrail::proof::files::archive::{Archive, claim_line, part_line};

/// An archive of the single game in 1.5 moves.
fn short(folder: &std::path::Path) -> String {
    let (printed, _) = spg(folder, "solve", "1.5", SHORT, &["--archive", "a.spga"]);
    assert!(printed.contains("\nC+: exactly one proof game in 1.5 moves\n"), "{printed}");
    read(folder, "a.spga")
}

#[test]
fn an_archive_made_by_hand_proves_nothing() {
    let folder = folder("by-hand");
    let header = short(&folder).lines().next().expect("a header").to_owned() + "\n";
    let claim = |number: u32| {
        let (_, mut archive) = Archive::read(&read(&folder, "a.spga"), &|| false).expect("it");
        let (_, mut record) = archive.claims.pop_first().expect("a claim");
        record.successes.clear();
        claim_line(&record).replace("claim 0 0", &format!("claim 0 {number}"))
    };
    let made = [
        (part_line(0, 0, 0), "claims: 1, the archive states 0"),
        (part_line(0, 1, 1) + &claim(0), "the digest does not fit the tree"),
        // Claims are counted, and not listed: a list of so many would take all memory.
        (part_line(0, 1 << 47, 0), "claims: 1, the archive states 140737488355328"),
    ];
    for (lines, why) in made {
        write(&folder, "b.spga", format!("{header}{lines}"));
        for verb in ["verify", "merge"] {
            let (printed, status) = run(&folder, &["spg", verb, "b.spga"]);
            assert!(printed.contains(why) && status == Some(4), "{verb}: {printed}");
            assert!(!printed.contains("no proof game in"), "{printed}");
        }
        let words = ["--archive", "b.spga", "--resume"];
        let (printed, status) = spg(&folder, "solve", "1.5", SHORT, &words);
        assert!(printed.contains("the archive has another tree"), "{printed}");
        assert!(!printed.contains("C+") && status == Some(2), "{printed}");
    }
}

#[test]
fn claims_of_an_archive_are_named_and_only_a_search_confirms_them() {
    let folder = folder("taken");
    let whole = short(&folder);
    let verify = |more: &[&str]| run(&folder, &[&["spg", "verify", "a.spga"], more].concat());
    let resume = |more: &[&str]| {
        spg(&folder, "solve", "1.5", SHORT, &[&["--archive", "a.spga", "--resume"], more].concat())
    };
    let taken = "(1 claim was taken from the archive unverified; spg verify checks them)\n";
    let (printed, status) = resume(&[]);
    let expected = format!("\nexactly one proof game in 1.5 moves {taken}");
    assert!(printed.contains(&expected) && status == Some(0), "{printed}");
    let end = json(&resume(&["--json"]).0).pop().expect("an end");
    assert_eq!((&end["unverified_claims"], &end["computer_tested"]), (&1.into(), &false.into()));
    let (printed, status) = verify(&[]);
    assert!(printed.contains("(1 claim was counted again, not searched again)\n"), "{printed}");
    assert!(
        printed.contains("1 strategy counted, and 1 game found under its strategy\n"),
        "{printed}"
    );
    assert!(printed.contains("\nnot checked: that other strategies have no game"), "{printed}");
    assert!(!printed.contains("C+") && status == Some(0), "{printed}");
    let (printed, _) = verify(&["--stride", "1"]);
    assert!(printed.contains("\nC+: exactly one proof game in 1.5 moves\n"), "{printed}");
    assert!(printed.contains("1 strategy searched again with the same result\n"), "{printed}");

    // The game is cut out, and every checksum is right.
    let (header, mut archive) = Archive::read(&whole, &|| false).expect("an archive");
    archive.claims.values_mut().for_each(|record| record.successes.clear());
    write(&folder, "a.spga", archive.text(&header));
    let (printed, _) = resume(&[]);
    assert!(printed.contains(&format!("\nno proof game in 1.5 moves {taken}")), "{printed}");
    assert_eq!(verify(&[]).1, Some(0));
    let (printed, status) = verify(&["--stride", "1"]);
    let why = "strategy 0.0 has a game that the archive lacks: f4 f5 Nf3";
    assert!(printed.contains(why) && status == Some(4), "{printed}");
    let (printed, status) = verify(&["--stride", "0"]);
    assert!(
        printed.contains("stride expects a number from 1, got 0") && status == Some(2),
        "{printed}"
    );
}

#[test]
fn a_stopped_check_is_not_complete() {
    let folder = folder("stopped-check");
    let more = ["--archive", "a.spga", "--time", "300"];
    spg(&folder, "solve", "18.5", super::MANY, &more);
    let (printed, status) = run(&folder, &["spg", "verify", "a.spga", "--time", "300"]);
    assert!(printed.contains("a.spga: not checked to its end; "), "{printed}");
    assert_eq!(status, Some(3), "{printed}");
}
