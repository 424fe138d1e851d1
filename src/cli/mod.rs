//! The command line: arguments in, exit status out.
//!
//! Without arguments the program reads standard input, and the first protocol word decides the
//! dialect. Every subcommand is a command of a session, run once and written as plain text or JSON.
//!
//! Exit status: 0 complete, 2 usage or unusable input, 3 stopped or a limit was reached, 4 complete
//! but not what was required, 70 a fault of the program, 71 the system refuses memory, threads or files without which
//! the program cannot continue.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod args;
mod domains;
mod egt;
mod endgame_line;
mod help_layout;
#[cfg(feature = "page")]
mod help_pages;
mod invocation;
mod manual;
mod pages;
mod reference;
#[cfg(feature = "page")]
mod serve;
mod settings;
mod spg;
mod standard_input;
mod steno;

use args::{Args, Common, Listing, Sub};
use clap::FromArgMatches;
use clap::error::ErrorKind;
use invocation::{Invocation, UsageError};
use std::ffi::OsString;
use umbrail::protocol::records::{BuildRecord, Record};
use umbrail::protocol::{Dialect, Json, Plain, ProtocolChoice, Reader, Xboard, ini};
use umbrail::server::{
    self, RunMode, STATUS_USAGE, complain, print, print_error_record, print_record,
};
use umbrail::session::command::BenchLimit;
use umbrail::session::event::Offer;
use umbrail::session::{
    Base, BenchRequest, BuildFacts, Command, Diagram, Domain, Options, Show, specs,
};
use umbrail::tasks::MODULES;

/// Runs the program with these arguments, the program's name first.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Before clap, whose errors are records, too.
    if arguments.iter().take_while(|word| *word != "--").any(|word| word == "--json") {
        server::print_in_json();
    }
    match Invocation::parse(arguments) {
        Ok(Invocation::Endgame(line)) => endgame_line::open(line),
        Ok(Invocation::Task(domain, matches)) => carry_out(domain, &matches),
        Ok(Invocation::Conversation(protocol, common)) => match settings::options(&common) {
            Ok(options) => talk((protocol.dialect)(MODULES), None, options),
            Err(status) => status,
        },
        Ok(Invocation::Command(args)) => match settings::options(&args.common) {
            Ok(options) => dispatch(*args, options),
            Err(status) => status,
        },
        Err(UsageError::Words(why)) => complain(&why),
        Err(UsageError::Clap(error)) if error.kind() == ErrorKind::DisplayVersion => version(),
        Err(UsageError::Clap(error)) => {
            // Help goes to standard output, faults to standard error; clap knows which.
            if !error.use_stderr() {
                let text = error.render();
                let is_styled = server::prints_to_terminal();
                return print(&if is_styled { text.ansi().to_string() } else { text.to_string() });
            }
            let _ = error.print();
            print_error_record(error.to_string().trim_end());
            u8::try_from(error.exit_code()).unwrap_or(STATUS_USAGE)
        }
    }
}

/// Carries out a task, which a module's table declares.
fn carry_out(domain: Domain, matches: &clap::ArgMatches) -> u8 {
    let Ok(common) = Common::from_arg_matches(matches) else { return STATUS_USAGE };
    let task = domains::task(matches, MODULES).and_then(spg::completed).map(steno::completed);
    let options = match settings::options_of_task(domain, &common) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let task = match task {
        Ok(task) => task,
        Err(why) => return complain(&why),
    };
    let dialect: Box<dyn Dialect> = match (common.json, domain) {
        // What is asked for by another program, and nothing around it.
        (true, Domain::Egt) => Box::new(Json::bare(MODULES)),
        (true, _) => Box::new(Json::new(MODULES)),
        (false, Domain::Spg) => Box::new(Plain::new(MODULES, Reader::Shell)),
        (false, _) => Box::new(Plain::new(MODULES, Reader::Command)),
    };
    let showing = pages::Showing::asked(matches).filter(|_| !common.json);
    let screen = showing.and_then(pages::Pages::on_terminal);
    let commands = vec![Command::Task(task)];
    server::run(umbrail::tasks::session(options), RunMode::Tasks { commands, dialect, screen })
}

fn dispatch(args: Args, options: Options) -> u8 {
    let json = args.common.json;
    match args.sub {
        None => {
            let (reader, choice) = match server::talks_to_terminal() {
                true => (Reader::Person, ProtocolChoice::by_words()),
                false => (Reader::Script, ProtocolChoice::by_first_line()),
            };
            talk(Box::new(Plain::new(MODULES, reader)), Some(choice), options)
        }
        Some(Sub::Xboard { endgame: None, .. }) => {
            talk(Box::new(Xboard::new(MODULES)), None, options)
        }
        Some(Sub::Xboard { endgame: Some(material), .. }) => {
            endgame_line::open_with(material, options)
        }
        Some(Sub::Bench { depth, values }) if values.is_empty() => {
            let bench = BenchRequest {
                limit: depth.map(BenchLimit::Depth),
                threads: Some(options.threads),
                hash_mib: args.common.sets("Hash").then_some(options.search.hash_mib),
                ..BenchRequest::default()
            };
            once(vec![Command::Bench(bench)], options, json)
        }
        Some(Sub::Bench { values, .. }) => received(&["bench", &values.join(" ")], options, json),
        Some(Sub::Speedtest { values }) => {
            received(&["speedtest", &values.join(" ")], options, json)
        }
        Some(Sub::Go { words, board }) => {
            let words = format!("go {}", words.join(" "));
            match board.fen {
                Some(fen) => received(&["position fen", &fen, "\n", &words], options, json),
                None => received(&[&words], options, json),
            }
        }
        Some(Sub::Position { words }) => {
            received(&["position", &words.join(" "), "\n", "d"], options, json)
        }
        Some(Sub::Version) => version(),
        Some(Sub::Perft { depth, board }) => {
            at_board(board.fen, Command::Perft(depth), options, json)
        }
        Some(Sub::Eval { board }) => at_board(board.fen, Command::Show(Show::Eval), options, json),
        Some(Sub::D { board }) => at_board(board.fen, Command::Show(Show::Board), options, json),
        #[cfg(feature = "training")]
        Some(Sub::Datagen(wish)) => {
            umbrail_tools::datagen::run(wish, options.threads, &options.search)
        }
        #[cfg(feature = "training")]
        Some(Sub::Genfens(wish)) => umbrail_tools::genfens::run(&wish, &options.search),
        #[cfg(feature = "training")]
        Some(Sub::Tune(wish)) => umbrail_tools::tune::run(wish, options.threads),
        #[cfg(feature = "training")]
        Some(Sub::Wdl(wish)) => umbrail_tools::wdl::run(wish),
        #[cfg(feature = "training")]
        Some(Sub::Spsa(wish)) => umbrail_tools::spsa::run(wish, options.threads, &options.search),
        #[cfg(feature = "training")]
        Some(Sub::Train(wish)) => umbrail_tools::train::run(wish, options.threads),
        #[cfg(feature = "lab")]
        Some(Sub::Lab { lab }) => umbrail_lab::run(lab, &options, &args.common.settings()),
        #[cfg(feature = "page")]
        Some(Sub::Serve(wish)) => serve::run(wish, options),
        Some(Sub::Compiler) => once(vec![Command::Show(Show::Compiler)], options, json),
        Some(Sub::License) => once(vec![Command::Show(Show::License)], options, json),
        Some(Sub::Man { markdown: true, .. }) => print(&reference::markdown()),
        Some(Sub::Man { folder, .. }) => manual::man(folder.as_deref()),
        Some(Sub::Completions { shell }) => manual::completions(shell),
        Some(Sub::Options { listing }) => match listing {
            Listing { as_ini: true, .. } => print(&ini::write(&offers(&options))),
            Listing { markdown: true, .. } => print(&markdown(&options)),
            _ => once(vec![Command::Show(Show::Options)], options, json),
        },
    }
}

/// Prints name, version and commit.
fn version() -> u8 {
    let facts = BuildFacts::of_program();
    let title = facts.title() + "\n";
    print_record(&Record::Build(BuildRecord::of(&facts)), &title)
}

fn talk(dialect: Box<dyn Dialect>, choice: Option<ProtocolChoice>, options: Options) -> u8 {
    server::run(umbrail::tasks::session(options), RunMode::Conversation { dialect, choice })
}

fn once(commands: Vec<Command>, options: Options, json: bool) -> u8 {
    let dialect: Box<dyn Dialect> = if json {
        Box::new(Json::new(MODULES))
    } else {
        Box::new(Plain::new(MODULES, Reader::Shell))
    };
    server::run(
        umbrail::tasks::session(options),
        RunMode::Tasks { commands, dialect, screen: None },
    )
}

/// Does what these lines of a conversation ask for.
fn received(lines: &[&str], options: Options, json: bool) -> u8 {
    let mut dialect = Plain::new(MODULES, Reader::Shell);
    let mut commands = vec![];
    for line in lines.join(" ").split('\n').map(str::trim) {
        match dialect.parse(line) {
            Ok(received) => commands.extend(received),
            Err(why) => {
                let mut printed = String::new();
                dialect.complain(line, &why, &mut printed);
                return complain(printed.trim_end());
            }
        }
    }
    once(commands, options, json)
}

fn at_board(fen: Option<String>, command: Command, options: Options, json: bool) -> u8 {
    let base = fen.map_or(Base::Start, |fen| Base::Setup(Diagram::of_fen(&fen)));
    once(vec![Command::Position { base, moves: vec![] }, command], options, json)
}

fn offers(options: &Options) -> Vec<Offer> {
    specs().map(|spec| Offer { spec, value: spec.text(options) }).collect()
}

/// The table of options for docs/options.md.
fn markdown(options: &Options) -> String {
    use umbrail::session::options::Kind;
    let mut table = String::from("| option | default | values | |\n|---|---|---|---|\n");
    for Offer { spec, value } in offers(options) {
        let values = match spec.kind {
            Kind::Check { .. } | Kind::Experiment(_) => "true, false".to_owned(),
            Kind::Spin { min, max, .. } => format!("{min} to {max}"),
            Kind::Constant(one) => format!("{} to {}", one.min, one.max),
            Kind::Combo { names, .. } => names.join(", "),
            Kind::File { .. } => "file".to_owned(),
            Kind::Folder { .. } => "folder".to_owned(),
            Kind::Text { .. } | Kind::Constants => "text".to_owned(),
            Kind::Shown(_) => "fixed".to_owned(),
            Kind::Button(_) => "button".to_owned(),
        };
        let value = match spec.kind {
            Kind::Shown(_) => "",
            _ => value.as_str(),
        };
        table.push_str(&format!("| `{}` | {value} | {values} | {} |\n", spec.name, spec.help));
    }
    table
}
