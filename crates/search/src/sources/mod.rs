//! Sources of the search: opening books, experience, endgame tables and the evaluation network. All
//! of them come from files that the user names. A file that cannot be used is reported in an error,
//! and the search runs without it.

pub(super) mod book;
mod error;
pub(super) mod experience;
mod foreign;
pub(super) mod hints;
pub(super) mod probe;
#[cfg_attr(not(feature = "syzygy"), path = "no_syzygy.rs")]
pub(super) mod syzygy;

use super::limits::{SearchParams, SearchRequest};
use super::network::Network;
use book::Book;
pub use error::SourceError;
use experience::Experience;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use syzygy::{OpenedTables, Tables};
use umbrail_chess::Move;
use umbrail_control::{ReadError, lock};

/// Reads a whole file without a possibility to stop.
#[cfg(test)]
pub(super) fn read_at_once(path: &Path) -> Result<Vec<u8>, ReadError> {
    umbrail_control::read_file(path, &|| false)
}

/// Reads a whole file or returns the reason why it cannot be read.
pub type ReadFile<'a> = &'a dyn Fn(&Path) -> Result<Vec<u8>, ReadError>;

/// Open files with the paths that name them; copies share the files. By default only the built-in
/// network is open, as in the default parameters.
#[derive(Clone, Debug)]
pub struct Sources {
    book: Named<Book>,
    experience: Named<Mutex<Experience>>,
    tables: Named<Tables>,
    /// Numbers of the tables opened last, until they are reported.
    tables_found: Option<String>,
    network: Named<Network>,
}

impl Default for Sources {
    fn default() -> Self {
        Self {
            book: Named::default(),
            experience: Named::default(),
            tables: Named::default(),
            tables_found: None,
            network: Named { place: String::new(), content: Network::built_in() },
        }
    }
}

/// Contents of a path, or none.
#[derive(Debug)]
struct Named<T> {
    place: String,
    content: Option<Arc<T>>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self { place: String::new(), content: None }
    }
}

impl<T> Clone for Named<T> {
    fn clone(&self) -> Self {
        Self { place: self.place.clone(), content: self.content.clone() }
    }
}

impl<T> Named<T> {
    /// Reads the contents if the path has changed. An empty path means none.
    fn configure(
        &mut self,
        place: &str,
        read: impl FnOnce(&str) -> Result<T, SourceError>,
    ) -> Result<(), SourceError> {
        if self.place == place {
            return Ok(());
        }
        self.place = place.to_owned();
        self.content = None;
        if !place.is_empty() {
            self.content = Some(Arc::new(read(place)?));
        }
        Ok(())
    }
}

/// Sources that one search uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Library {
    pub book: Option<Arc<Book>>,
    pub experience: Option<Arc<Mutex<Experience>>>,
    pub tables: Option<Arc<Tables>>,
    pub network: Option<Arc<Network>>,
}

impl Library {
    /// Returns one of these moves, chosen from the book, if the parameters and limits allow book
    /// moves here. `random` is uniform in [0, 1).
    pub(super) fn book_move(
        &self,
        request: &SearchRequest,
        params: &SearchParams,
        moves: &[Move],
        random: f64,
    ) -> Option<Move> {
        let SearchRequest { position, limits, .. } = request;
        let playing = params.own_book && !limits.infinite && limits.mate.is_none();
        if !playing || u32::from(position.fullmoves()) > params.book_depth {
            return None;
        }
        self.book.as_ref()?.choose(position, moves, random)
    }
}

impl Sources {
    /// Opens the files that the parameters name and closes all others; returns the errors. Takes as
    /// long as reading the files takes.
    pub fn configure(&mut self, params: &SearchParams, read: ReadFile<'_>) -> Vec<SourceError> {
        let book =
            self.book.configure(&params.book_file, |path| Book::read(&PathBuf::from(path), read));
        let is_opened = self.experience.place != params.experience_file;
        let experience = self.experience.configure(&params.experience_file, |path| {
            Experience::open(PathBuf::from(path), read).map(Mutex::new)
        });
        let repair = match (&self.experience.content, is_opened) {
            (Some(experience), true) => lock(experience).repair(),
            _ => None,
        };
        let tables = self.configure_tables(&params.syzygy_path);
        let network = match params.use_nnue.then_some(params.eval_file.as_str()) {
            Some("") => {
                self.network = Named { place: String::new(), content: Network::built_in() };
                match self.network.content {
                    Some(_) => Ok(()),
                    None => Err(SourceError::BuiltIn),
                }
            }
            Some(path) => self.network.configure(path, |path| read_network(path, read)),
            None => {
                self.network = Named::default();
                Ok(())
            }
        };
        let faults = [book, experience, network].into_iter().filter_map(Result::err);
        faults.chain(tables).chain(repair).collect()
    }

    /// Takes the numbers of the Syzygy tables that [`Sources::configure`] opened since the last
    /// call, as a sentence.
    pub fn take_tables_found(&mut self) -> Option<String> {
        self.tables_found.take()
    }

    /// Opens the tables if the list of folders has changed. Bad entries of the list are reported
    /// and skipped.
    fn configure_tables(&mut self, folders: &str) -> Vec<SourceError> {
        if self.tables.place == folders {
            return vec![];
        }
        self.tables = Named { place: folders.to_owned(), content: None };
        if folders.is_empty() {
            return vec![];
        }
        let OpenedTables { tables, summary, faults } = Tables::open(folders);
        self.tables.content = tables.map(Arc::new);
        self.tables_found = summary;
        faults
    }

    /// Returns the sources that are open.
    pub(super) fn library(&self) -> Library {
        Library {
            book: self.book.content.clone(),
            experience: self.experience.content.clone(),
            tables: self.tables.content.clone(),
            network: self.network.content.clone(),
        }
    }
}

fn read_network(path: &str, read: ReadFile<'_>) -> Result<Network, SourceError> {
    let option = "EvalFile";
    let bytes = read(Path::new(path)).map_err(|error| SourceError::File { option, error })?;
    Network::from_bytes(&bytes).map_err(|error| SourceError::Format {
        option,
        path: path.to_owned(),
        reason: error.to_string(),
    })
}
