//! Watches the memory that a control group leaves. The group's limit does not refuse allocations; a
//! process that exceeds it is killed. Work is therefore stopped shortly before.

use super::{cgroup, reserve};
use std::path::Path;
use std::thread::Builder;
use std::time::Duration;

/// Number of bytes left in the control group below which work stops.
const LEFT_MIN: u64 = 12 << 20;

/// Largest assumed growth of a process, bytes per millisecond; the next check comes before the
/// growth could have used the bytes left.
const BYTES_PER_MS: u64 = 2 << 20;
/// Shortest and longest time between two checks, milliseconds.
const PERIOD_MS: (u64, u64) = (10, 250);

/// Starts the watching thread if the process is in a control group with a limit.
pub(super) fn watch_control_group() {
    let read = |name: &str| std::fs::read_to_string(name).unwrap_or_default();
    let (groups, mounts) = (read("/proc/self/cgroup"), read("/proc/self/mountinfo"));
    let left = move || cgroup::left(Path::new("/"), &groups, &mounts);
    if left().is_none() {
        return;
    }
    let watch = move || {
        while let Some(bytes) = left() {
            if bytes < LEFT_MIN {
                reserve::raise_shortage();
            }
            std::thread::sleep(period(bytes));
        }
    };
    // Without the thread, blocks are still sized by the memory that the group leaves.
    let _ = Builder::new().name("memory".to_owned()).stack_size(256 << 10).spawn(watch);
}

fn period(left: u64) -> Duration {
    let (shortest, longest) = PERIOD_MS;
    let spare = left.saturating_sub(LEFT_MIN);
    Duration::from_millis((spare / BYTES_PER_MS).clamp(shortest, longest))
}

#[cfg(test)]
mod tests {
    use super::period;
    use std::time::Duration;

    #[test]
    fn the_less_is_left_the_sooner_is_the_next_look() {
        assert_eq!(period(0), Duration::from_millis(10));
        assert_eq!(period(112 << 20), Duration::from_millis(50));
        assert_eq!(period(64 << 30), Duration::from_millis(250));
    }
}
