//! Dates for result files and pages.

use datetime::OffsetDateTime;
use std::time::SystemTime;

/// Returns a moment as date and time of day: `2026-11-23 12:31:07 UTC`.
pub fn date(moment: SystemTime) -> String {
    let moment = OffsetDateTime::from(moment);
    let (year, month, day) = moment.to_calendar_date();
    let (hour, minute, second) = moment.to_hms();
    format!("{year:04}-{:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC", u8::from(month))
}

#[cfg(test)]
mod tests {
    use super::date;
    use std::time::{Duration, SystemTime};

    #[test]
    fn moments_have_dates() {
        let reported = |seconds| date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(reported(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(reported(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(reported(1_795_437_067), "2026-11-23 12:31:07 UTC");
    }
}
