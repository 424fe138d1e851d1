//! An amount of memory, as users write it.

use std::fmt;
use std::str::FromStr;
use umbrail_control::{Available, MemoryLimit, available};

/// Bytes, written as `64m`, `2g`, `512k` or a bare number of MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySize(pub u64);

/// Error of a text that is not an amount of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemorySizeError(String);

impl fmt::Display for MemorySizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be a size such as 64m or 2g, got {}", self.0)
    }
}

impl std::error::Error for MemorySizeError {}

impl FromStr for MemorySize {
    type Err = MemorySizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.to_ascii_lowercase();
        let (digits, shift) = match lower.as_bytes().last() {
            Some(b'k') => (&lower[..lower.len() - 1], 10),
            Some(b'm') => (&lower[..lower.len() - 1], 20),
            Some(b'g') => (&lower[..lower.len() - 1], 30),
            _ => (lower.as_str(), 20),
        };
        let number: Option<u64> = digits.parse().ok();
        let bytes = number.and_then(|number| number.checked_mul(1 << shift));
        bytes.map(Self).ok_or_else(|| MemorySizeError(text.to_owned()))
    }
}

/// Returns the bytes available to large blocks when this many are requested, and a message if there
/// are fewer.
pub fn granted(wanted: u64) -> (u64, Option<String>) {
    match available() {
        Some(left) if left.for_blocks() < wanted => {
            let granted = left.for_blocks();
            let (wanted, used) = (wanted >> 20, granted >> 20);
            (granted, Some(format!("{wanted} MiB do not fit: {left}; {used} MiB are used")))
        }
        _ => (wanted, None),
    }
}

/// Returns ": 200 MiB are left of ..." for a message about a block that got only `granted` bytes.
pub fn left_before(granted: u64) -> String {
    available().map_or(String::new(), |left| {
        // Only these two limits count memory that is not touched yet.
        let taken = match left.limit {
            MemoryLimit::AddressSpace | MemoryLimit::Data => granted,
            MemoryLimit::Machine | MemoryLimit::ControlGroup => 0,
        };
        format!(": {}", Available { bytes: left.bytes.saturating_add(taken), ..left })
    })
}

#[cfg(test)]
mod tests {
    use super::MemorySize;

    #[test]
    fn sizes_have_a_unit_or_are_mebibytes() {
        let bytes = |text: &str| text.parse().map(|MemorySize(bytes)| bytes).ok();
        assert_eq!(bytes("512k"), Some(512 << 10));
        assert_eq!(bytes("64M"), Some(64 << 20));
        assert_eq!(bytes("2g"), Some(2 << 30));
        assert_eq!(bytes("7"), Some(7 << 20));
        for wrong in ["", "g", "much", "1.5g", "-1", "99999999999g", "8ä"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
        let error = "much".parse::<MemorySize>().unwrap_err();
        assert_eq!(error.to_string(), "must be a size such as 64m or 2g, got much");
    }
}
