//! Several sessions that answer questions, so that pages with different questions do not wait for
//! each other.

use super::desk::{Desk, DeskError};
use super::records::Records;
use std::hash::{DefaultHasher, Hash, Hasher};
use umbrail_session::{Command, Options};

/// Sessions of one kind.
pub(crate) struct Desks {
    desks: Vec<Desk>,
}

impl Desks {
    /// Creates this number of sessions, each with these options.
    pub(crate) fn new(options: &Options, count: usize) -> std::io::Result<Self> {
        let desks = (0..count.max(1)).map(|_| Desk::new(options.clone()));
        Ok(Self { desks: desks.collect::<std::io::Result<_>>()? })
    }

    /// Sends a question to the session of its subject, which may have the answer in memory; if that
    /// session is busy, to an idle one.
    ///
    /// # Errors
    /// Too many questions wait already.
    pub(crate) async fn ask(
        &self,
        subject: &str,
        commands: Vec<Command>,
    ) -> Result<Records, DeskError> {
        let home = home(subject, self.desks.len());
        let idle = |desk: &&Desk| desk.waiting() == 0;
        let desk = match self.desks.get(home).filter(idle) {
            Some(desk) => Some(desk),
            None => self.desks.iter().find(idle).or_else(|| self.desks.get(home)),
        };
        match desk {
            Some(desk) => desk.ask(commands).await,
            None => Err(DeskError::NoSession),
        }
    }
}

/// Returns the index of the session of a subject.
fn home(subject: &str, count: usize) -> usize {
    let mut hash = DefaultHasher::new();
    subject.hash(&mut hash);
    (hash.finish() % count.max(1) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::home;

    #[test]
    fn a_subject_has_one_home() {
        assert_eq!(home("KQ.KR", 3), home("KQ.KR", 3));
        let homes: std::collections::HashSet<usize> =
            ["KQ.K", "KR.K", "KB.K", "KN.K", "KP.K", "KQ.KR", "KQ.KB", "KQ.KN"]
                .map(|name| home(name, 3))
                .into();
        assert!(homes.len() > 1 && homes.iter().all(|home| *home < 3));
    }
}
