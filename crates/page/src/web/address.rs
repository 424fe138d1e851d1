//! Address of the page, and the check that a request names it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Address that the server listens on, once the port is known.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    socket: SocketAddr,
    /// Token that a request must present; without a token the server is reachable only from this
    /// machine.
    pub(super) token: Option<String>,
}

/// Address for `--listen` without a number: this machine only.
pub(crate) const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

impl Address {
    pub(crate) fn new(socket: SocketAddr, token: Option<String>) -> Self {
        Self { socket, token }
    }

    /// Returns the name of the cookie with the token. Browsers do not separate the cookies of ports.
    pub(super) fn cookie(&self) -> String {
        format!("umbrail_token_{}", self.socket.port())
    }

    /// Returns the address for the user.
    pub(crate) fn url(&self) -> String {
        let shown = match self.socket.ip() {
            // A browser on this machine reaches every local address through this one.
            ip if ip.is_unspecified() => SocketAddr::new(LOOPBACK, self.socket.port()),
            _ => self.socket,
        };
        match &self.token {
            Some(token) => format!("http://{shown}/?token={token}"),
            None => format!("http://{shown}/"),
        }
    }

    /// Returns true if the header `Host` names this address. A foreign name that resolves to it
    /// (DNS rebinding) does not.
    pub(super) fn is_named_by(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.socket.port()) {
            return false;
        }
        let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
        let named = self.socket.ip();
        match bare.parse::<IpAddr>() {
            // A numeric address cannot be rebound.
            Ok(ip) => {
                named == ip || named.is_unspecified() || named.is_loopback() && ip.is_loopback()
            }
            Err(_) => {
                bare.eq_ignore_ascii_case("localhost")
                    && (named.is_loopback() || named.is_unspecified())
            }
        }
    }

    /// Returns true if the header `Origin` is that of our own pages.
    pub(super) fn is_origin(&self, origin: &str, host: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|rest| rest.eq_ignore_ascii_case(host))
    }
}

/// Compares two secrets in a time that does not depend on the position of the first difference.
pub(super) fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::{Address, same};

    fn address(socket: &str) -> Address {
        Address::new(socket.parse().unwrap(), None)
    }

    #[test]
    fn only_own_names_are_hosts() {
        let local = address("127.0.0.1:8080");
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert!(local.is_named_by(host), "{host}");
        }
        let foreign = [
            "",
            "evil.example:8080",
            "127.0.0.1",
            "127.0.0.1:8081",
            "localhost.evil:8080",
            "10.0.0.1:8080",
            "[::1]",
        ];
        for host in foreign {
            assert!(!local.is_named_by(host), "{host}");
        }
        let open = address("0.0.0.0:8080");
        assert!(open.is_named_by("192.168.1.5:8080") && !open.is_named_by("evil.example:8080"));
        let one = address("192.168.1.5:80");
        assert!(one.is_named_by("192.168.1.5") && !one.is_named_by("localhost"));
    }

    #[test]
    fn the_origin_is_the_host_with_its_scheme() {
        let local = address("127.0.0.1:8080");
        assert!(local.is_origin("http://127.0.0.1:8080", "127.0.0.1:8080"));
        for origin in
            ["null", "https://127.0.0.1:8080", "http://evil.example", "http://127.0.0.1:80801"]
        {
            assert!(!local.is_origin(origin, "127.0.0.1:8080"), "{origin}");
        }
    }

    #[test]
    fn secrets_are_compared_whole() {
        assert!(same("abc", "abc") && !same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }
}
