//! Names of workers.

/// Returns the name of this process among the workers.
pub(crate) fn worker_name() -> String {
    let variable = |name: &str| std::env::var(name).ok();
    let host = std::fs::read_to_string("/etc/hostname").ok().or_else(|| variable("COMPUTERNAME"));
    let host = host.or_else(|| variable("HOSTNAME")).unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let host: String = host.trim().chars().filter(|&c| plain(c)).collect();
    format!("{}-{}", if host.is_empty() { "host" } else { &host }, std::process::id())
}
