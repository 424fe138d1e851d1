//! Capabilities of the engine, as `feature` lines.

use umbrail_session::BuildFacts;
use umbrail_session::event::Offer;
use umbrail_session::options::Kind;

/// Variants that can be set up; an error about unknown pieces is reported at `go`. XBoard refuses
/// other boards than those listed here, and lines of more than 512 characters.
pub(super) const VARIANTS: [&str; 21] = [
    "normal",
    "fischerandom",
    "fairy",
    "cylinder",
    "capablanca",
    "gardner",
    "gothic",
    "grand",
    "losalamos",
    "makruk",
    "shatranj",
    "xiangqi",
    "5x5+0_fairy",
    "6x6+0_fairy",
    "7x7+0_fairy",
    "8x10+0_fairy",
    "9x9+0_fairy",
    "9x10+0_fairy",
    "10x8+0_fairy",
    "10x10+0_fairy",
    "11x11+0_fairy",
];

/// `sigint=0`: otherwise xboard would send a signal before each command. `debug=1`: the engine
/// writes lines after `#`.
const FIXED: &str = "\
feature done=0
feature ping=1 setboard=1 usermove=1 playother=1 san=0 colors=0 sigint=0 sigterm=0 reuse=1 analyze=1
feature time=1 draw=1 debug=1 nps=1 memory=1 smp=1 exclude=1 pause=0 name=0 ics=0
";

/// Options whose place the commands of this protocol take, or that change lines of UCI only.
const UCI_ONLY: [&str; 7] = [
    "Ponder",
    "UCI_Chess960",
    "UCI_Variant",
    "UCI_AnalyseMode",
    "UCI_ShowWDL",
    "UCI_Opponent",
    "UCI_EngineAbout",
];

pub(super) fn write(offers: &[Offer], out: &mut String) {
    out.push_str(FIXED);
    let name = BuildFacts::of_program().name();
    let variants = VARIANTS.join(",");
    out.push_str(&format!("feature myname=\"{name}\" egt=\"syzygy\"\n"));
    out.push_str(&format!("feature variants=\"{variants}\"\n"));
    for offer in offers.iter().filter(|offer| !UCI_ONLY.contains(&offer.spec.name)) {
        out.push_str(&format!("feature option=\"{}\"\n", option(offer)));
    }
    out.push_str("feature done=1\n");
}

fn option(offer: &Offer) -> String {
    let name = offer.spec.name;
    // A quote inside a feature would end the feature.
    let value = offer.value.replace('"', "'");
    match offer.spec.kind {
        Kind::Check { .. } | Kind::Experiment(_) => {
            format!("{name} -check {}", u8::from(value == "true"))
        }
        Kind::Spin { min, max, .. } => format!("{name} -spin {value} {min} {max}"),
        Kind::Constant(one) => format!("{name} -spin {value} {} {}", one.min, one.max),
        Kind::Combo { names, .. } => {
            let mark = |&name: &&str| {
                if name == value { format!("*{name}") } else { name.to_owned() }
            };
            let choices: Vec<_> = names.iter().map(mark).collect();
            format!("{name} -combo {}", choices.join(" /// "))
        }
        Kind::File { .. } => format!("{name} -file {value}"),
        Kind::Folder { .. } => format!("{name} -path {value}"),
        Kind::Text { .. } | Kind::Constants | Kind::Shown(_) => format!("{name} -string {value}"),
        Kind::Button(_) => format!("{name} -button"),
    }
}
