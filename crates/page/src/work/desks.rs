//! Several sessions that answer questions, so that pages with different questions do not wait for
//! each other.

use super::desk::{Desk, DeskError};
use super::records::Records;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use umbrail_control::lock;
use umbrail_session::{Command, Options};

/// Time after which an unused session is replaced by a new one, so that its tables are freed.
const KEPT: Duration = Duration::from_secs(600);
/// Time between two looks at the sessions.
const LOOK: Duration = Duration::from_secs(60);

/// A session, and the moment of its last answer; `None` while it has answered nothing.
struct Place {
    desk: Arc<Desk>,
    used: Option<Instant>,
}

/// Sessions of one kind.
pub(crate) struct Desks {
    options: Options,
    places: Mutex<Vec<Place>>,
    /// A task frees sessions that are not used.
    is_watched: AtomicBool,
}

impl Desks {
    /// Creates this number of sessions, each with these options.
    pub(crate) fn new(options: &Options, count: usize) -> std::io::Result<Self> {
        let place = |_| Ok(Place { desk: Arc::new(Desk::new(options.clone())?), used: None });
        let places = (0..count.max(1)).map(place).collect::<std::io::Result<_>>()?;
        Ok(Self {
            options: options.clone(),
            places: Mutex::new(places),
            is_watched: AtomicBool::new(false),
        })
    }

    /// Sends a question to the session of its subject, which may have the answer in memory; if that
    /// session is busy, to an idle one.
    ///
    /// # Errors
    /// Too many questions wait already.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        subject: &str,
        commands: Vec<Command>,
    ) -> Result<Records, DeskError> {
        let Some(desk) = self.desk(subject) else { return Err(DeskError::NoSession) };
        if !self.is_watched.swap(true, Ordering::AcqRel) {
            tokio::spawn(Arc::clone(self).watch());
        }
        desk.ask(commands).await
    }

    /// Chooses a session, and notes its use.
    fn desk(&self, subject: &str) -> Option<Arc<Desk>> {
        let mut places = lock(&self.places);
        let home = home(subject, places.len());
        let is_idle = |place: &Place| place.desk.waiting() == 0;
        let at = match places.get(home).is_some_and(is_idle) {
            true => home,
            false => places.iter().position(is_idle).unwrap_or(home),
        };
        let place = places.get_mut(at)?;
        place.used = Some(Instant::now());
        Some(Arc::clone(&place.desk))
    }

    /// Frees sessions until none is in use.
    async fn watch(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK).await;
            if self.free(KEPT) {
                self.is_watched.store(false, Ordering::Release);
                return;
            }
        }
    }

    /// Frees the tables of all sessions that answer nothing now.
    pub(crate) fn free_idle(&self) {
        self.free(Duration::ZERO);
    }

    /// Replaces sessions that were not used for this time; returns true if none is left in use.
    fn free(&self, kept: Duration) -> bool {
        let mut places = lock(&self.places);
        for place in places.iter_mut() {
            let is_old = place.used.is_some_and(|used| used.elapsed() >= kept);
            if !is_old || place.desk.waiting() > 0 {
                continue;
            }
            // Without a new thread the old session stays.
            if let Ok(desk) = Desk::new(self.options.clone()) {
                *place = Place { desk: Arc::new(desk), used: None };
            }
        }
        places.iter().all(|place| place.used.is_none())
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
    use super::{Desks, home};
    use std::sync::Arc;
    use std::time::Duration;
    use umbrail_session::Options;

    #[tokio::test]
    async fn an_unused_session_is_replaced() {
        let desks = Arc::new(Desks::new(&Options::default(), 2).unwrap());
        assert!(desks.free(Duration::ZERO));
        let before = desks.desk("KQ.K").unwrap();
        assert!(!desks.free(Duration::from_secs(60)));
        assert!(Arc::ptr_eq(&before, &desks.desk("KQ.K").unwrap()));
        assert!(desks.free(Duration::ZERO));
        assert!(!Arc::ptr_eq(&before, &desks.desk("KQ.K").unwrap()));
    }

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
