//! Address of the server, and the credentials of the user.
//!
//! A password on a command line is visible to every user of the machine, and options are written to
//! logs. The address that users write there must therefore not contain a secret; secrets come from
//! a file or from the environment.

use async_nats::ConnectOptions;
use std::fmt;
use std::path::{Path, PathBuf};

/// Environment variable with an address, which may contain user and password or a token.
const URL_VARIABLE: &str = "UMBRAIL_CLUSTER";
/// Environment variable that names a credentials file.
const FILE_VARIABLE: &str = "UMBRAIL_CLUSTER_CREDENTIALS";

/// Error of an unusable address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(String);

/// Credentials of the user.
#[derive(Clone, Default)]
enum Identity {
    #[default]
    None,
    Password(String, String),
    Token(String),
    Nkey(String),
    /// Contents of a credentials file in the format of NATS.
    Credentials(String),
}

/// Server and the credentials for it. `Debug` and `Display` omit the secrets.
#[derive(Clone, Default)]
pub struct Address {
    /// Scheme, host and port.
    url: String,
    identity: Identity,
    authorities: Option<PathBuf>,
    certificate: Option<(PathBuf, PathBuf)>,
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({})", self.url)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl Address {
    /// Parses a user's address, with the credentials of the named file or of the environment.
    /// `auto` also takes the address from the environment.
    ///
    /// # Errors
    /// [`AddressError`] if the address is malformed or contains a secret, or if a file cannot be
    /// used.
    pub fn of(
        text: &str,
        file: Option<&str>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, AddressError> {
        let environment = variable(URL_VARIABLE);
        let mut address = match text {
            "auto" => {
                let text = environment.ok_or_else(|| {
                    AddressError(format!(
                        "cluster auto finds no address in the variable {URL_VARIABLE}"
                    ))
                })?;
                Self::parse(&text)?
            }
            text => {
                let address = Self::parse(text)?;
                if !matches!(address.identity, Identity::None) {
                    return Err(AddressError(format!(
                        "an address with a password or token can be read by other users of this machine; put it into the variable \
                         {URL_VARIABLE} and use cluster auto, or use a credentials file"
                    )));
                }
                address
            }
        };
        let file = file.map(str::to_owned).or_else(|| variable(FILE_VARIABLE));
        if let Some(file) = file {
            address.read_credentials(Path::new(&file))?;
        }
        Ok(address)
    }

    fn parse(text: &str) -> Result<Self, AddressError> {
        let wrong = || {
            AddressError(
                "cluster must be an address such as nats://HOST:4222 or tls://HOST:4222".to_owned(),
            )
        };
        let (scheme, rest) = text.split_once("://").unwrap_or(("nats", text));
        if !matches!(scheme, "nats" | "tls") {
            return Err(wrong());
        }
        let (secret, host) = match rest.rsplit_once('@') {
            Some((secret, host)) => (Some(secret), host),
            None => (None, rest),
        };
        let host = host.trim_end_matches('/');
        let port = host.rsplit_once(':').map(|(_, port)| port);
        let numbered = port.is_none_or(|port| port.parse::<u16>().is_ok() || port.ends_with(']'));
        if host.is_empty() || host.contains(['/', ' ']) || !numbered {
            return Err(wrong());
        }
        let identity = match secret.map(|secret| secret.split_once(':').ok_or(secret)) {
            None => Identity::None,
            Some(Ok((user, password))) => Identity::Password(user.to_owned(), password.to_owned()),
            Some(Err(token)) => Identity::Token(token.to_owned()),
        };
        Ok(Self { url: format!("{scheme}://{host}"), identity, ..Self::default() })
    }

    /// Reads a credentials file: one of NATS, or lines `user NAME`, `password WORD`, `token WORD`,
    /// `nkey SEED`, `ca FILE`, `cert FILE`, `key FILE`. Other users must not be able to read the
    /// file.
    fn read_credentials(&mut self, path: &Path) -> Result<(), AddressError> {
        let fail = |why: &dyn fmt::Display| AddressError(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| fail(&error))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(path).map_err(|error| fail(&error))?.permissions().mode();
            if mode & 0o077 != 0 {
                return Err(fail(
                    &"other users can read this credentials file; run chmod 600 on it",
                ));
            }
        }
        if text.contains("-----BEGIN NATS USER JWT-----") {
            self.identity = Identity::Credentials(text);
            return Ok(());
        }
        let (mut user, mut certificate, mut key) = (None, None, None);
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (word, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let value = value.trim().to_owned();
            match word {
                "user" => user = Some(value),
                "password" => {
                    self.identity = Identity::Password(user.clone().unwrap_or_default(), value);
                }
                "token" => self.identity = Identity::Token(value),
                "nkey" => self.identity = Identity::Nkey(value),
                "ca" => self.authorities = Some(value.into()),
                "cert" => certificate = Some(PathBuf::from(value)),
                "key" => key = Some(PathBuf::from(value)),
                _ => {
                    return Err(fail(&format!(
                        "line {number} must begin with one of user, password, token, nkey, ca, cert, key"
                    )));
                }
            }
        }
        for (path, holds) in [
            (&self.authorities, "CERTIFICATE"),
            (&certificate, "CERTIFICATE"),
            (&key, "PRIVATE KEY"),
        ] {
            if let Some(path) = path {
                check_pem(path, holds)?;
            }
        }
        self.certificate = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            _ => return Err(fail(&"cert and key must be given together")),
        };
        Ok(())
    }

    /// Returns scheme, host and port, without secrets.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the options of the connection.
    pub(crate) fn options(&self) -> Result<ConnectOptions, AddressError> {
        let options = ConnectOptions::new();
        let options = match self.identity.clone() {
            Identity::None => options,
            Identity::Password(user, password) => options.user_and_password(user, password),
            Identity::Token(token) => options.token(token),
            Identity::Nkey(seed) => options.nkey(seed),
            Identity::Credentials(text) => options
                .credentials(&text)
                .map_err(|_| AddressError("the credentials file is damaged".to_owned()))?,
        };
        let secure = self.authorities.is_some() || self.certificate.is_some();
        let options = options.require_tls(secure || self.url.starts_with("tls://"));
        let options = match &self.authorities {
            Some(path) => options.add_root_certificates(path.clone()),
            None => options,
        };
        Ok(match &self.certificate {
            Some((certificate, key)) => {
                options.add_client_certificate(certificate.clone(), key.clone())
            }
            None => options,
        })
    }
}

/// Checks that a file of the credentials can be read and holds a certificate or a private key: the library names no file in
/// its errors.
fn check_pem(path: &Path, holds: &str) -> Result<(), AddressError> {
    let fail = |why: &dyn fmt::Display| AddressError(format!("{}: {why}", path.display()));
    let text = std::fs::read(path).map_err(|error| fail(&error))?;
    let ends = format!("{holds}-----");
    let found = String::from_utf8_lossy(&text)
        .lines()
        .any(|line| line.starts_with("-----BEGIN ") && line.trim_end().ends_with(&ends));
    let expected = format!("expected a PEM file with -----BEGIN {holds}-----");
    if found { Ok(()) } else { Err(fail(&expected)) }
}

#[cfg(test)]
mod tests {
    use super::{Address, Identity};

    #[test]
    fn addresses_are_read_and_shown_without_secrets() {
        for (text, url) in [
            ("nats://host:4222", "nats://host:4222"),
            ("host", "nats://host"),
            ("tls://[::1]:4222/", "tls://[::1]:4222"),
        ] {
            assert_eq!(Address::of(text, None, &|_| None).unwrap().to_string(), url);
        }
        for wrong in ["", "http://host", "nats://", "nats://host:x", "nats://a b"] {
            let why = Address::of(wrong, None, &|_| None).unwrap_err().to_string();
            assert!(why.contains("such as nats://HOST:4222"), "{wrong}");
        }
    }

    #[test]
    fn secrets_come_from_the_environment_and_stay_hidden() {
        let why = Address::of("nats://club:secret@host", None, &|_| None).unwrap_err().to_string();
        assert!(why.contains("UMBRAIL_CLUSTER") && !why.contains("secret"), "{why}");
        let found = |name: &str| {
            (name == "UMBRAIL_CLUSTER").then(|| "nats://club:secret@host:1".to_owned())
        };
        let address = Address::of("auto", None, &found).unwrap();
        assert!(
            matches!(&address.identity, Identity::Password(user, word) if user == "club" && word == "secret")
        );
        assert!(!format!("{address:?} {address}").contains("secret"));
        assert!(Address::of("auto", None, &|_| None).is_err());
    }

    #[test]
    fn files_of_credentials_are_private() {
        let path = std::env::temp_dir().join(format!("umbrail-credentials-{}", std::process::id()));
        let roots = path.with_extension("pem");
        let credentials =
            format!("# of the club\nuser club\npassword a b\nca {}\n", roots.display());
        std::fs::write(&path, credentials).unwrap();
        let text = path.to_str().unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
            let why = Address::of("host", Some(text), &|_| None).unwrap_err().to_string();
            assert!(why.contains("chmod 600"), "{why}");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        }
        let refused = || Address::of("host", Some(text), &|_| None).unwrap_err().to_string();
        let name = roots.display().to_string();
        assert!(refused().starts_with(&name));
        std::fs::write(&roots, "-----BEGIN PRIVATE KEY-----\n").unwrap();
        assert!(refused().starts_with(&name) && refused().ends_with("BEGIN CERTIFICATE-----"));
        std::fs::write(&roots, "-----BEGIN CERTIFICATE-----\n").unwrap();
        let address = Address::of("host", Some(text), &|_| None).unwrap();
        assert!(
            matches!(&address.identity, Identity::Password(user, word) if user == "club" && word == "a b")
        );
        std::fs::write(&path, "pass word\n").unwrap();
        let why = Address::of("host", Some(text), &|_| None).unwrap_err().to_string();
        assert!(why.contains("line 1") && !why.contains("word\""), "{why}");
        std::fs::remove_file(&path).unwrap();
        std::fs::remove_file(&roots).unwrap();
    }
}
