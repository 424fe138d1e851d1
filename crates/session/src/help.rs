//! The pages of `help`: the commands, the verbs of a domain, the keys of a verb.

pub use super::domain::Topic;
use super::domain::{Domain, Key, Reach};
use super::examples;
use super::module::{SolverModule, Verb, module};

/// The commands of a session.
const COMMANDS: &str = "\
commands:
  uci | xboard                      speak UCI, or XBoard, from here on
  position startpos|fen F [moves M...]
  go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
     [mate N] [infinite] [ponder] [searchmoves M...]
  go perft N                        count move sequences
  stop | ponderhit                  end what runs; start the clock of a search
  setoption name N [value V]        set an option (list them with: options)
  ucinewgame | isready | debug on|off
  d | eval | flip                   show the board, its evaluation; exchange the colors
  bench [depth N] [threads N] [hash MB]
  help [DOMAIN [VERB]] | options | compiler | license | quit
solvers:";

impl Topic {
    /// Returns the topic of these words: none, a domain, or a domain and a verb.
    pub fn of(domain: &str, verb: &str) -> Self {
        match Domain::from_word(domain) {
            None => Self::Commands,
            Some(domain) if verb.is_empty() => Self::Domain(domain),
            Some(domain) => Self::Verb(domain, verb.to_owned()),
        }
    }
}

/// Returns the lines of a page; for an unknown verb, the page of its domain.
pub fn page(topic: &Topic, modules: &'static [SolverModule]) -> Vec<String> {
    match topic {
        Topic::Commands => commands(modules),
        Topic::Domain(domain) => verbs(*domain, module(modules, *domain)),
        Topic::Verb(domain, verb) => {
            let module = module(modules, *domain);
            let verb = module.and_then(|module| module.verb(verb));
            verb.map_or_else(|| verbs(*domain, module), |verb| keys(*domain, verb))
        }
    }
}

fn commands(modules: &'static [SolverModule]) -> Vec<String> {
    let mut page: Vec<String> = COMMANDS.lines().map(str::to_owned).collect();
    for module in modules {
        let verbs: Vec<_> = module.verbs.iter().map(|verb| verb.name).collect();
        let domain = module.domain;
        page.push(format!("  {:<5} {}: {}", domain.word(), domain.about(), verbs.join(", ")));
    }
    page
}

fn verbs(domain: Domain, module: Option<&SolverModule>) -> Vec<String> {
    let word = domain.word();
    let mut page = vec![format!("{word}: {}", domain.about())];
    let Some(module) = module else {
        page.push("not built into this version yet".to_owned());
        return page;
    };
    page.extend(module.verbs.iter().map(|verb| format!("  {:<9} {}", verb.name, verb.help)));
    if let Some(verb) = module.verbs.first() {
        page.push(format!("The keys of a verb: help {word} {}", verb.name));
        page.push(format!("Example: {}", examples::line(domain, verb.name)));
    }
    page
}

fn keys(domain: Domain, verb: &Verb) -> Vec<String> {
    let mut first = format!("{} {}", domain.word(), verb.name);
    let subject = verb.subject.map(|subject| format!(" [{subject}]"));
    let text = verb.text.map(|text| format!(" [text {text}]"));
    first += &format!("{} [KEY VALUE]...{}", subject.unwrap_or_default(), text.unwrap_or_default());
    let mut page = vec![first, format!("  {}", verb.help)];
    page.extend(verb.all_keys().map(|key| format!("  {:<24} {}", with_value(key), key.help)));
    page.push(format!("Example: {}", examples::line(domain, verb.name)));
    page
}

fn with_value(key: &Key) -> String {
    match key.reach {
        Reach::Flag => key.name.to_owned(),
        Reach::Word | Reach::Each => format!("{} V", key.name),
        Reach::Fen => format!("{} FEN", key.name),
        Reach::Words => format!("{} WORD...", key.name),
    }
}
