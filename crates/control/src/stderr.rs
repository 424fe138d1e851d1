//! Lines for standard error.

/// Prints a line to standard error. A line that cannot be written is lost: `eprintln!` would panic,
/// for example when the reader of a pipe has ended or the disk is full.
///
/// ```
/// umbrail_control::print_error!("umbrail: {} files", 3);
/// ```
#[macro_export]
macro_rules! print_error {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
