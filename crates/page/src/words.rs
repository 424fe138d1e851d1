//! Numbers and sentences in the format of pages.

pub(super) use umbrail_protocol::grouped;

/// Formats a count: `1 game`, `1,000 games`.
pub(super) fn counted(number: u64, name: &str) -> String {
    format!("{} {name}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Capitalizes the first letter.
pub(super) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Formats milliseconds as `350 ms`, `2.5 s`, `2 min 5 s` or `3 h 20 min`.
pub(super) fn elapsed(ms: u64) -> String {
    match ms / 1000 {
        0 => format!("{ms} ms"),
        1..60 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        s @ 60..3600 => format!("{} min {} s", s / 60, s % 60),
        s => format!("{} h {} min", s / 3600, s / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{capitalized, counted, elapsed, grouped};

    #[test]
    fn numbers_are_grouped_for_readers() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([counted(1, "way"), counted(2, "way")], ["1 way", "2 ways"]);
        assert_eq!([capitalized("cooked"), capitalized("")], ["Cooked", ""]);
        let times = [350, 59_999, 125_000, 12_000_000].map(elapsed);
        assert_eq!(times, ["350 ms", "59.9 s", "2 min 5 s", "3 h 20 min"]);
    }
}
