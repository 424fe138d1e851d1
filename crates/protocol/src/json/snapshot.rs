//! A snapshot of a run of proof games as a JSON object.

use super::{Fields, ms, record};
use umbrail_session::Value;
use umbrail_session::snapshot::{
    ClusterPage, FoundStrategy, PlayerPage, SeekerPage, Snapshot, UnitLine, WorkerLine,
};

fn text(text: &str) -> Value {
    Value::from(text)
}

fn texts(items: &[String]) -> Value {
    Value::List(items.iter().map(|item| text(item)).collect())
}

fn maybe(item: Option<&str>) -> Value {
    item.map_or(Value::Null, Value::from)
}

fn object(fields: Vec<(&str, Value)>) -> Value {
    Value::Record(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

pub(super) fn snapshot(shown: &Snapshot) -> Option<Fields> {
    let class = |(name, count): &(String, u64)| {
        object(vec![("free", text(name)), ("strategies", (*count).into())])
    };
    record(
        "snapshot",
        vec![
            ("ms", ms(shown.time)),
            ("counting", Value::Truth(shown.counting)),
            ("queued", shown.queued.into()),
            ("taken", shown.taken.into()),
            ("moves", shown.moves.into()),
            ("cache", Value::List(vec![shown.cache.0.into(), shown.cache.1.into()])),
            ("solutions", shown.solutions.into()),
            ("cooks", shown.cooks.into()),
            (
                "retracted",
                shown.retracted.as_ref().map_or(Value::Null, |(moves, number, of)| {
                    object(vec![
                        ("moves", text(moves)),
                        ("number", (*number as u64).into()),
                        ("of", (*of as u64).into()),
                    ])
                }),
            ),
            ("histogram", Value::List(shown.histogram.iter().map(class).collect())),
            ("players", Value::List(shown.players.iter().map(player).collect())),
            ("seekers", Value::List(shown.seekers.iter().map(seeker).collect())),
            ("found", Value::List(shown.found.iter().map(found).collect())),
            ("verdict", maybe(shown.verdict.as_deref())),
            ("shorter", maybe(shown.shorter.as_deref())),
            ("cluster", shown.cluster.as_ref().map_or(Value::Null, cluster)),
        ],
    )
}

fn player(page: &PlayerPage) -> Value {
    object(vec![
        ("name", text(&page.name)),
        ("free", maybe(page.free.as_deref())),
        ("case", page.case.into()),
        ("moves", page.moves.into()),
        ("path", texts(&page.path)),
        ("white", texts(&page.pieces[0])),
        ("black", texts(&page.pieces[1])),
    ])
}

fn seeker(page: &SeekerPage) -> Value {
    let step = |step: &umbrail_session::snapshot::SeekStep| {
        object(vec![
            ("kind", text(step.kind)),
            ("text", text(&step.text)),
            ("seconds", step.seconds.into()),
            ("below", Value::Truth(step.below)),
        ])
    };
    object(vec![
        ("name", text(&page.name)),
        ("running", Value::Truth(page.running)),
        ("kept", page.kept.into()),
        ("found", page.found.into()),
        ("nodes", page.nodes.into()),
        ("percent", Value::Digits(format!("{:.2}", page.percent))),
        ("steps", Value::List(page.steps.iter().map(step).collect())),
    ])
}

fn cluster(page: &ClusterPage) -> Value {
    let unit = |UnitLine { unit, seconds }: &UnitLine| {
        object(vec![("unit", text(unit)), ("seconds", (*seconds).into())])
    };
    let worker = |one: &WorkerLine| {
        object(vec![
            ("name", text(&one.name)),
            ("threads", one.threads.into()),
            ("done", one.done.into()),
            ("at", Value::List(one.at.iter().map(unit).collect())),
        ])
    };
    object(vec![
        ("run", text(&page.run)),
        ("units", page.units.0.into()),
        ("open", page.units.1.into()),
        ("queued", page.queue.0.into()),
        ("working", page.queue.1.into()),
        ("per-second", page.rate.into()),
        ("claims", page.claims.0.into()),
        ("of", page.claims.1.map_or(Value::Null, Value::from)),
        ("audited", page.audited.into()),
        ("workers", Value::List(page.workers.iter().map(worker).collect())),
        ("left-ms", page.left.map_or(Value::Null, ms)),
    ])
}

fn found(one: &FoundStrategy) -> Value {
    object(vec![
        ("white", text(&one.paths[0])),
        ("black", text(&one.paths[1])),
        ("free", text(&one.free)),
        ("games", texts(&one.games)),
    ])
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, Json};
    use umbrail_session::Event;
    use umbrail_session::snapshot::{ClusterPage, PlayerPage, Snapshot, UnitLine, WorkerLine};
    use umbrail_tasks::MODULES;

    #[test]
    fn a_snapshot_is_one_object() {
        let player = PlayerPage { name: "1".into(), moves: 7, ..PlayerPage::default() };
        let shown = Snapshot { moves: 9, players: vec![player], ..Snapshot::default() };
        let mut out = String::new();
        Json::new(MODULES).write(&Event::Snapshot(Box::new(shown)), &mut out);
        assert!(out.starts_with("{\"t\":\"snapshot\",\"ms\":0,"), "{out}");
        assert!(out.contains("\"players\":[{\"name\":\"1\",\"free\":null,\"case\":0,\"moves\":7,"));
        assert!(out.contains("\"cluster\":null}"), "{out}");
        assert_eq!(out.lines().count(), 1);
    }

    #[test]
    fn a_snapshot_of_several_machines_names_the_workers_and_their_units() {
        let unit = |unit: &str, seconds| UnitLine { unit: unit.to_owned(), seconds };
        let at = vec![unit("piece 0 1", 7), unit("case 1", 9)];
        let worker = WorkerLine { name: "one-1".to_owned(), threads: 2, done: 5, at };
        let page = ClusterPage { units: (12, 30), workers: vec![worker], ..ClusterPage::default() };
        let shown = Snapshot { cluster: Some(page), ..Snapshot::default() };
        let mut out = String::new();
        Json::new(MODULES).write(&Event::Snapshot(Box::new(shown)), &mut out);
        let worker = "{\"name\":\"one-1\",\"threads\":2,\"done\":5,\"at\":[\
                      {\"unit\":\"piece 0 1\",\"seconds\":7},{\"unit\":\"case 1\",\"seconds\":9}]}";
        assert!(out.contains(worker) && out.contains("\"units\":12,\"open\":30,"), "{out}");
    }
}
