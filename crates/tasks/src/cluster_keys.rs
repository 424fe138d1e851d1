//! Keys of verbs whose work can be divided among several machines.

use umbrail_session::domain::{Key, Reach};

const fn key(name: &'static str, reach: Reach, help: &'static str) -> Key {
    Key { name, aliases: &[], reach, help }
}

/// Source of credentials.
pub(crate) const CREDENTIALS: Key = key(
    "cluster-credentials",
    Reach::Word,
    "file with lines such as user NAME, password WORD, token WORD, nkey SEED, ca FILE; or one of NATS",
);

/// Keys that control the workers of a run.
pub(crate) const USE: [Key; 3] = [
    key(
        "no-work",
        Reach::Flag,
        "with cluster: only collect results, and leave the work to other machines",
    ),
    key(
        "audit",
        Reach::Word,
        "with cluster: share of the work, such as 5%, that a second worker repeats",
    ),
    key(
        "lease",
        Reach::Word,
        "with cluster: seconds without a heartbeat after which another worker gets the unit (default: 60)",
    ),
];

/// Keys of verbs other than those of proof games, for which an option defines `cluster`.
pub(crate) const KEYS: &[Key] = &[
    key(
        "cluster",
        Reach::Word,
        "server of workers on several machines, such as nats://HOST:4222; auto takes UMBRAIL_CLUSTER",
    ),
    CREDENTIALS,
    USE[0],
    USE[1],
    USE[2],
];
