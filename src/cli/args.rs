//! What the command line understands (clap).

use super::{domains, help_layout};
use clap::{
    Arg, ArgAction, ArgMatches, Args as ClapArgs, CommandFactory, FromArgMatches, Parser,
    Subcommand,
};
use clap_complete::Shell;
use std::path::PathBuf;
use umbrail::protocol::PROTOCOLS;
use umbrail::session::SolverModule;

/// A chess engine for GUIs, match runners and scripts; a builder of endgame tables, a solver of
/// proof games and of Steno-Chess.
///
/// Without a subcommand it reads standard input: UCI, XBoard, or plain commands (try `help`).
#[derive(Parser)]
#[command(name = "umbrail", version)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(subcommand)]
    pub(super) sub: Option<Sub>,
}

/// Options of every subcommand; help lists them after the subcommand's own.
#[derive(ClapArgs)]
#[command(next_help_heading = "Common options", next_display_order = 1_000)]
pub(super) struct Common {
    /// Set an option, such as --set "Move Overhead=50"; list them with `umbrail options`
    #[arg(long, value_name = "NAME=VALUE", global = true)]
    set: Vec<String>,
    /// Read options from this file instead of umbrail.ini
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) ini: Option<PathBuf>,
    /// Write every line of input and output to this file
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<String>,
    /// Number of threads of every solver
    #[arg(long, value_name = "N", global = true)]
    threads: Option<String>,
    /// Print all output as one JSON object per line
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Conversations offer every option. A flag of the protocols only.
    #[arg(skip)]
    pub(super) all_options: bool,
}

/// Option that the flag [`ALL_OPTIONS`] sets.
const SHOW_ALL: &str = "Show All Options";
/// Flag of the protocols.
const ALL_OPTIONS: &str = "all-options";

impl Common {
    /// Reads the flags of a command line, and those of its protocol.
    pub(super) fn of_conversation(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let of_protocol = matches.subcommand().map(|(_, matches)| matches);
        let is_set = |matches: &ArgMatches| {
            matches.try_get_one::<bool>(ALL_OPTIONS).is_ok_and(|set| set == Some(&true))
        };
        let all_options = of_protocol.is_some_and(is_set);
        Ok(Self { all_options, ..Self::from_arg_matches(matches)? })
    }

    /// The options that the flags set, in order.
    pub(super) fn settings(&self) -> Vec<(String, Option<String>)> {
        let named = |name: &str, value: &Option<String>| {
            value.as_ref().map(|value| (name.to_owned(), Some(value.clone())))
        };
        let printed = self.set.iter().map(|setting| match setting.split_once('=') {
            Some((name, value)) => (name.trim().to_owned(), Some(value.to_owned())),
            None => (setting.trim().to_owned(), None),
        });
        let all = self.all_options.then(|| (SHOW_ALL.to_owned(), Some("true".to_owned())));
        let flags = named("Threads", &self.threads).into_iter().chain(named("Log File", &self.log));
        printed.chain(all).chain(flags).collect()
    }

    /// True when `--set` names this option.
    pub(super) fn sets(&self, name: &str) -> bool {
        self.settings().iter().any(|(set, _)| set.eq_ignore_ascii_case(name))
    }
}

/// The subcommands that are not a module's.
#[derive(Subcommand)]
pub(super) enum Sub {
    /// Speak XBoard; with an endgame such as KQ.KR, build its table and play it
    #[command(after_help = "Example: umbrail xboard KQ.KR")]
    Xboard {
        /// Endgame, White's pieces before the dot
        #[arg(value_name = "ENDGAME")]
        endgame: Option<String>,
        /// Offer every option, not only those of the playing engine
        #[arg(long, id = "all-options", conflicts_with = "endgame")]
        all_options: bool,
    },
    /// Search fixed positions: the node count identifies a version, the speed a machine
    ///
    /// The arguments of Stockfish's bench also work: `umbrail bench 16 1 13 FILE depth` searches the
    /// positions of a file to depth 13, with a table of 16 MiB and one thread.
    #[command(after_help = "Example: umbrail bench --depth 8")]
    Bench {
        /// Depth of each search
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100), conflicts_with = "values")]
        depth: Option<u32>,
        /// HASH [THREADS [LIMIT [FILE|default|current [depth|nodes|movetime|perft]]]]
        #[arg(value_name = "VALUE", num_args = 0..=5)]
        values: Vec<String>,
    },
    /// Measure the speed of a long search with all processors
    #[command(after_help = "Example: umbrail speedtest 2 64 1")]
    Speedtest {
        /// THREADS [HASH_MIB [SECONDS]]; by default all processors, 128 MiB a thread and 30 seconds
        #[arg(value_name = "VALUE", num_args = 0..=3)]
        values: Vec<String>,
    },
    /// Search a position, such as `umbrail go depth 12`, and print the best move
    #[command(after_help = "Example: umbrail go depth 12")]
    Go {
        /// Limits as in UCI: depth N, nodes N, movetime MS, mate N, perft N, wtime MS btime MS
        #[arg(value_name = "WORD", num_args = 1.., required = true)]
        words: Vec<String>,
        #[command(flatten)]
        board: Board,
    },
    /// Show a position that moves lead to, such as `umbrail position startpos moves e2e4`
    #[command(after_help = "Example: umbrail position startpos moves e2e4")]
    Position {
        /// startpos or fen FEN, then moves M...
        #[arg(value_name = "WORD", num_args = 1.., required = true)]
        words: Vec<String>,
    },
    /// Count the move sequences of a length
    #[command(after_help = "Example: umbrail perft 5")]
    Perft {
        /// Length in plies
        #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
        depth: u32,
        #[command(flatten)]
        board: Board,
    },
    /// Show the static evaluation of a position
    #[command(after_help = "Example: umbrail eval --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'")]
    Eval {
        #[command(flatten)]
        board: Board,
    },
    /// Show a position
    #[command(after_help = "Example: umbrail d --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'")]
    D {
        #[command(flatten)]
        board: Board,
    },
    /// List every option
    #[command(after_help = "Example: umbrail options --as-ini")]
    Options {
        #[command(flatten)]
        listing: Listing,
    },
    /// Play training games against itself and write them to compact files
    #[cfg(feature = "training")]
    Datagen(umbrail_tools::datagen::Datagen),
    /// Print random openings for data generation, as OpenBench asks for them
    #[cfg(feature = "training")]
    Genfens(umbrail_tools::genfens::Genfens),
    /// Fit the numbers of the hand-written evaluation to such games
    #[cfg(feature = "training")]
    Tune(umbrail_tools::tune::Tune),
    /// Fit the win, draw and loss probabilities of a score to such games
    #[cfg(feature = "training")]
    Wdl(umbrail_tools::wdl::Wdl),
    /// Tune the numbers of the search by games against itself
    #[cfg(feature = "training")]
    Spsa(umbrail_tools::spsa::Spsa),
    /// Train a network for the search on such games
    #[cfg(feature = "training")]
    Train(umbrail_tools::train::Train),
    /// Measure versions of this program against each other and against other engines
    #[cfg(feature = "lab")]
    Lab {
        #[command(subcommand)]
        lab: umbrail_lab::Lab,
    },
    /// Open a page on this machine: proof games, endgame tables, stenos, analysis
    ///
    /// The first line of the output is the address of the page. Ctrl-C stops the server and all runs; resume a run on its
    /// page.
    #[cfg(feature = "page")]
    Serve(super::serve::Serve),
    /// Show the version
    #[command(after_help = "Example: umbrail version")]
    Version,
    /// Show what this program was built for
    #[command(after_help = "Example: umbrail compiler")]
    Compiler,
    /// Show the licence
    #[command(after_help = "Example: umbrail license")]
    License,
    /// Write the manual pages of all subcommands into a folder, or the program's own to standard output
    #[command(hide = true, after_help = "Example: umbrail man pages")]
    Man {
        /// Folder for the pages, created if it does not exist
        folder: Option<PathBuf>,
        /// One page of Markdown to standard output instead
        #[arg(long, conflicts_with = "folder")]
        markdown: bool,
    },
    /// Print the completions for a shell
    #[command(hide = true, after_help = "Example: umbrail completions bash")]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// A position to look at.
#[derive(ClapArgs)]
pub(super) struct Board {
    /// Position as FEN (default: the initial position)
    #[arg(long)]
    pub(super) fen: Option<String>,
}

/// How the options are listed.
#[derive(ClapArgs)]
#[group(multiple = false)]
pub(super) struct Listing {
    /// As an option file with comments
    #[arg(long)]
    pub(super) as_ini: bool,
    /// As the table of docs/options.md
    #[arg(long)]
    pub(super) markdown: bool,
}

/// The whole command line, with a subcommand for each protocol and each domain.
pub(super) fn command(modules: &'static [SolverModule]) -> clap::Command {
    help_layout::grouped(domains::add(protocols(Args::command()), modules))
}

/// Adds the protocols that take no arguments of their own; they are listed first.
fn protocols(command: clap::Command) -> clap::Command {
    PROTOCOLS.iter().fold(command, |command, protocol| {
        match command.find_subcommand(protocol.words[0]) {
            Some(_) => command,
            None => {
                let word = protocol.words[0];
                let example = format!("Example: umbrail {word} --log {word}.log");
                let all = Arg::new(ALL_OPTIONS).long(ALL_OPTIONS).action(ArgAction::SetTrue);
                let all = all.help("Offer every option, not only those of the playing engine");
                let subcommand = clap::Command::new(word).about(protocol.about).arg(all);
                command.subcommand(subcommand.display_order(0).after_help(example))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::command;
    use umbrail::tasks::MODULES;

    #[test]
    fn the_command_line_is_consistent() {
        command(MODULES).debug_assert();
    }
}
