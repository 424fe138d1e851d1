//! `umbrail egt …`: the switches that users of the older endgame program type, as arguments of clap beside the keys
//! that they stand for. Help does not list them.

use clap::{Arg, ArgAction, ArgMatches, Command};
use umbrail::session::domain::Domain;
use umbrail::session::module::Verb;

/// A switch, and the key with the value that it stands for.
struct Switch {
    /// One letter after one dash, or a word after two.
    name: &'static str,
    key: &'static str,
    value: &'static str,
}

const SWITCHES: &[Switch] = &[
    Switch { name: "m", key: "metric", value: "dtm" },
    Switch { name: "0", key: "null", value: "1" },
    Switch { name: "s", key: "stalemate", value: "win" },
    Switch { name: "bare-royal-loses", key: "bare", value: "1" },
    Switch { name: "forced-pass", key: "stalemate", value: "pass" },
];

/// The key with a file, and the letter that stands for it.
const SEED: (&str, char) = ("seed", 'f');

/// The switches that a verb of tables takes: those whose keys it has.
fn switches(domain: Domain, verb: &'static Verb) -> impl Iterator<Item = &'static Switch> {
    let has = move |key: &str| domain == Domain::Egt && verb.own_keys().any(|own| own.name == key);
    SWITCHES.iter().filter(move |switch| has(switch.key))
}

/// Adds the switches to the subcommand of a verb.
pub(super) fn add(mut command: Command, domain: Domain, verb: &'static Verb) -> Command {
    for Switch { name, key, .. } in switches(domain, verb) {
        let arg = Arg::new(*name).action(ArgAction::SetTrue).hide(true).conflicts_with(*key);
        let others = SWITCHES.iter().filter(|other| other.key == *key && other.name != *name);
        let arg = others.fold(arg, |arg, other| arg.conflicts_with(other.name));
        command = command.arg(match (name.chars().next(), name.len()) {
            (Some(letter), 1) => arg.short(letter),
            _ => arg.long(*name),
        });
    }
    if domain == Domain::Egt && verb.own_keys().any(|key| key.name == SEED.0) {
        command = command.mut_arg(SEED.0, |arg| arg.short_alias(SEED.1));
    }
    command
}

/// The keys that the switches stand for.
pub(super) fn keys(
    matches: &ArgMatches,
    domain: Domain,
    verb: &'static Verb,
) -> impl Iterator<Item = (&'static str, String)> {
    let given = switches(domain, verb).filter(|switch| matches.get_flag(switch.name));
    given.map(|switch| (switch.key, switch.value.to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::cli::{args, domains};
    use umbrail::tasks::MODULES;

    #[test]
    fn old_switches_stand_for_keys_behind_egt_only() {
        let keys = |line: &str| {
            let matches = args::command(MODULES).try_get_matches_from(line.split(' ')).ok()?;
            Some(domains::task(&matches, MODULES).unwrap().keys)
        };
        let short = "umbrail egt stats KQ.KR -m -0 -s -f seeds";
        let long = "umbrail egt stats KQ.KR --metric dtm --null 1 --stalemate win --seed seeds";
        let sorted = |line: &str| {
            let mut keys = keys(line).unwrap();
            keys.sort();
            keys
        };
        assert_eq!(sorted(short), sorted(long));
        let line = "umbrail egt stats KQ.KR --bare-royal-loses --forced-pass";
        let expected = [("bare", "1".to_owned()), ("stalemate", "pass".to_owned())];
        assert_eq!(sorted(line), expected);
        let line = "umbrail --json --set Threads=2 egt stats KQ.KR -m";
        assert_eq!(sorted(line), [("metric", "dtm".to_owned())]);
        assert_eq!(keys("umbrail spg solve -s"), None);
        assert_eq!(keys("umbrail egt stats KQ.KR -m --metric dtz"), None, "two metrics");
        assert_eq!(keys("umbrail egt stats KQ.KR -s --forced-pass"), None, "two stalemates");
    }
}
