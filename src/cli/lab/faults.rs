//! Faults in a match that is not played by `-strict`: attributed to a player from the output of fastchess.
//!
//! A rival's slips must not end a gauntlet; the program's own must not pass unseen.

/// The words of a game's end that are a fault of the color before them.
const ENDS: [&str; 4] =
    ["loses on time", "makes an illegal move", "disconnects", "connection stalls"];

/// Lines that report a fault of this player: warnings of fastchess, and games ended by one.
pub(super) fn of<'a>(printed: &'a str, player: &str) -> Vec<&'a str> {
    printed.lines().filter(|line| warns(line, player) || ends(line, player)).collect()
}

/// True if such a line reports a game lost on time.
pub(super) fn is_flag(line: &str) -> bool {
    line.contains(ENDS[0])
}

/// `Warning; Bestmove does not match beginning of last PV - move f2f4 from Stash25`
fn warns(line: &str, player: &str) -> bool {
    let from = line.rsplit_once(" from ").map(|(_, name)| name.trim());
    (line.starts_with("Warning") || line.starts_with("Illegal")) && from == Some(player)
}

/// `Finished game 22 (Stash25 vs umbrail): 0-1 {White loses on time}`
fn ends(line: &str, player: &str) -> bool {
    let Some((_, rest)) = line.strip_prefix("Finished game ").and_then(|r| r.split_once(" ("))
    else {
        return false;
    };
    let Some((players, end)) = rest.split_once("): ") else { return false };
    let Some((white, black)) = players.split_once(" vs ") else { return false };
    let at_fault = ENDS.iter().any(|words| end.contains(words));
    at_fault
        && (end.contains("{White") && white == player || end.contains("{Black") && black == player)
}

#[cfg(test)]
mod tests {
    use super::{is_flag, of};

    #[test]
    fn faults_have_an_owner() {
        let printed = "Finished game 21 (umbrail vs Stash25): 1-0 {White wins by adjudication}\n\
                    Warning; Bestmove does not match beginning of last PV - move f2f4 from Stash25\n\
                    Finished game 22 (Stash25 vs umbrail): 0-1 {White loses on time}\n\
                    Finished game 23 (umbrail vs Stash25): 0-1 {White loses on time}\n\
                    Finished game 24 (Stash25 vs umbrail): 1-0 {Black makes an illegal move}\n\
                    Finished game 25 (Stash25 vs umbrail): 1/2-1/2 {Draw by 3-fold repetition}\n";
        assert_eq!(of(printed, "umbrail").len(), 2);
        assert!(of(printed, "umbrail").iter().all(|line| !line.contains("game 22")));
        assert_eq!(of(printed, "Stash25").len(), 2);
        assert_eq!(of(printed, "Stash2"), [""; 0]);
        let flags = |player| of(printed, player).into_iter().filter(|line| is_flag(line)).count();
        assert_eq!((flags("umbrail"), flags("Stash25")), (1, 1));
    }
}
