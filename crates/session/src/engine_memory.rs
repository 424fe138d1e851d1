//! The engine's memory: its size, and when it is cleared and provided.

use super::{Event, Session, memory_size};
use std::sync::Arc;
use umbrail_search::Engine;

impl Session {
    /// Resizes and clears the engine's memory as requested; only while no job uses it. Books and
    /// tables are opened elsewhere, in `opening.rs`.
    pub(super) fn settle(&mut self) {
        if self.running.is_some() {
            return;
        }
        let mib = self.options.search.hash_mib;
        let other_size = self.engine.hash_mib() != mib;
        if let Some(engine) = Arc::get_mut(&mut self.engine) {
            if other_size {
                engine.resize(mib);
            } else if self.forget {
                engine.clear();
            }
        } else if other_size || self.forget {
            // An abandoned search still uses the old memory and may keep it.
            let engine = Engine::new(mib);
            engine.use_sources(self.engine.sources());
            self.engine = Arc::new(engine);
        }
        self.forget = false;
        let granted = self.engine.granted_mib();
        if other_size && granted < mib {
            let left = memory_size::left_before((granted as u64) << 20);
            let given = format!("Hash {mib} MiB does not fit{left}; {granted} MiB are used");
            self.write(Event::Note(given));
        }
    }

    /// Prepares the engine's memory before a reply that a GUI waits for off the clock.
    pub(super) fn prepare_memory(&mut self) {
        self.settle();
        if self.running.is_none() {
            self.engine.touch_memory();
        }
    }
}
