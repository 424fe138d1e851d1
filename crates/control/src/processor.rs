//! Processor time of this process.

use std::time::Duration;

/// Ticks of `/proc/self/stat` per second, on every Linux.
const TICKS: u64 = 100;

/// Returns the processor time of all threads of this process, including system calls; none without
/// `/proc`.
pub fn processor_time() -> Option<Duration> {
    from_stat(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

fn from_stat(stat: &str) -> Option<Duration> {
    // The program name, in brackets, may contain blanks and brackets.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11).take(2).map(|word| word.parse::<u64>().ok());
    let (user, system) = (ticks.next()??, ticks.next()??);
    Some(Duration::from_millis((user + system) * (1000 / TICKS)))
}

#[cfg(test)]
mod tests {
    use super::{from_stat, processor_time};
    use std::time::{Duration, Instant};

    #[test]
    fn the_times_in_user_and_system_mode_are_added() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 9 9 20 0 1 0 5 6 7";
        assert_eq!(from_stat(stat), Some(Duration::from_secs(3)));
        assert_eq!(from_stat("7 (a) S 1"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn work_takes_processor_time() {
        let (before, started) = (processor_time().unwrap(), Instant::now());
        let mut number = 1u64;
        while processor_time().unwrap() < before + Duration::from_millis(20) {
            assert!(started.elapsed() < Duration::from_secs(60));
            (0..100_000).for_each(|_| number = std::hint::black_box(number.wrapping_mul(3)));
        }
    }
}
