//! Runs on the simulated server: they give the right sum (safety), and they end once the faults have
//! stopped, without a restart of any process (liveness).

mod simulator;

use super::{CollectionEnd, CollectionEvent};
use crate::audits::AuditTotals;
use simulator::{Simulation, Sum};
use std::time::Duration;

/// Time within which every run ends after its faults.
const LIMIT: Duration = Duration::from_secs(1_200);

/// Collects the run of 1,000 numbers; returns it with its end.
fn collect(simulation: &mut Simulation, audit_share: u64) -> (Sum, CollectionEnd, bool) {
    let mut run = Sum::new(1_000);
    let limit = simulation.faults_until + LIMIT;
    let (end, ended) = simulation.collect(&mut run, audit_share, limit);
    (run, end, ended)
}

/// Collects a run, which must be complete.
fn complete(simulation: &mut Simulation, audit_share: u64, what: &str) -> CollectionEnd {
    let (run, end, ended) = collect(simulation, audit_share);
    assert!(ended && end.is_over, "{what}: it does not end: {end:?} {}", simulation.describe());
    assert!(end.faults.is_empty(), "{what}: {:?}", end.faults);
    assert!(run.given_up.is_empty(), "{what}: {:?}", run.given_up);
    assert_eq!(run.total(), run.expected(), "{what}");
    end
}

#[test]
fn a_run_without_faults_is_complete_and_audited() {
    let end = complete(&mut Simulation::new(1, 3), 1_000_000, "three workers");
    let AuditTotals { units, sizes } = end.audits;
    assert!(units.0 > 10 && units.0 == units.1 && sizes == (1_000, 1_000), "{end:?}");
}

#[test]
fn runs_end_once_faults_stop() {
    // The nightly run takes more.
    let runs = std::env::var("UMBRAIL_SIMULATIONS").ok().and_then(|text| text.parse().ok());
    for seed in 0..runs.unwrap_or(2_000) {
        let mut simulation = Simulation::new(seed, 1 + seed as usize % 5);
        simulation.rate = 20 + seed % 7 * 40;
        simulation.faults_until = Duration::from_secs(seed % 240);
        let audit_share = if seed % 3 == 0 { 200_000 } else { 0 };
        complete(&mut simulation, audit_share, &format!("seed {seed}"));
    }
}

#[test]
fn a_worker_that_fails_at_everything_does_not_end_the_units_of_an_able_one() {
    for seed in 0..50 {
        let mut simulation = Simulation::new(seed, 2);
        simulation.workers[0].is_unable = true;
        // While the able one is at a unit, the other one fails at the same units again and again.
        simulation.workers[1].slowness = 1 + seed as u32 % 3 * 30;
        simulation.faults_until = Duration::from_secs(20_000);
        complete(&mut simulation, 0, &format!("seed {seed}"));
    }
}

#[test]
fn a_worker_that_is_stopped_politely_many_times_does_not_end_a_unit() {
    let mut simulation = Simulation::new(5, 1);
    simulation.workers[0].stops = 200;
    complete(&mut simulation, 0, "200 stops");
}

#[test]
fn an_error_of_the_server_is_reported_once() {
    let mut simulation = Simulation::new(5, 1);
    (simulation.is_up, simulation.faults_until) = (false, Duration::from_secs(90));
    complete(&mut simulation, 0, "no server for 90 seconds");
    let stalled = CollectionEvent::Stalled { why: "no answer".to_owned() };
    assert_eq!(simulation.events.iter().filter(|event| **event == stalled).count(), 1);
}

#[test]
fn units_at_which_all_workers_fail_are_given_up() {
    for workers in [1, 2, 4] {
        let mut simulation = Simulation::new(7, workers);
        simulation.workers.iter_mut().for_each(|worker| worker.is_unable = true);
        let (run, end, ended) = collect(&mut simulation, 0);
        let state = simulation.describe();
        assert!(ended && end.is_over && end.faults.is_empty(), "{workers}: {end:?} {state}");
        assert_eq!(run.given_up.get("0-100").map(String::as_str), Some("too little memory"));
    }
}

#[test]
fn the_record_of_a_run_is_made_again() {
    let mut simulation = Simulation::new(3, 2);
    simulation.has_record = false;
    complete(&mut simulation, 0, "no record");
}

#[test]
fn a_run_that_another_program_closes_ends() {
    let mut simulation = Simulation::new(3, 0);
    simulation.is_closed = true;
    let (_, end, ended) = collect(&mut simulation, 0);
    assert!(ended && end.is_over, "{end:?}");
    assert_eq!(end.faults, ["the run was closed by another program"]);
}

#[test]
fn the_absence_of_workers_is_reported_once() {
    let mut simulation = Simulation::new(3, 0);
    let (_, end, ended) = collect(&mut simulation, 0);
    assert!(!ended && !end.is_over);
    assert_eq!(simulation.events, [CollectionEvent::NoWorker]);
}
