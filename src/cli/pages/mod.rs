//! Pages in the terminal while proof games are searched: the layout of the program that problemists come
//! from, its keys, and the terminal itself.
//!
//! The pages are drawn on standard error, so that standard output has the results and nothing else. A
//! terminal that was changed is always given back: when the work ends, on every signal that the program
//! hears, when this value is dropped, and when the program panics.

mod cluster;
mod layout;
mod line;
mod turn;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::style::{Attribute, Color, ResetColor, SetAttribute, SetForegroundColor};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, queue};
use line::{Line, Style};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use turn::Turn;
use umbrail::server::{Key, Keys, Screen, Wish};
use umbrail::session::snapshot::Snapshot;

/// When pages are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Showing {
    /// In a terminal, when the work takes longer than a moment.
    #[default]
    Auto,
    /// From the beginning, until q is pressed.
    On,
    /// Never.
    Off,
}

const PAGES: &str = "pages";

impl Showing {
    /// The argument of the verbs that have pages.
    pub(super) fn argument() -> clap::Arg {
        let when = clap::builder::EnumValueParser::<Self>::new();
        let argument = clap::Arg::new(PAGES).long(PAGES).value_name("WHEN").value_parser(when);
        argument.default_value("auto").help("show pages in the terminal while the work runs")
    }

    /// What the arguments ask for; none when the verb has no pages.
    pub(super) fn asked(matches: &clap::ArgMatches) -> Option<Self> {
        let (_, of_domain) = matches.subcommand()?;
        let (_, of_verb) = of_domain.subcommand()?;
        of_verb.try_get_one(PAGES).ok().flatten().copied()
    }
}

/// Work that is done sooner is not worth a page.
const MOMENT: Duration = Duration::from_millis(600);
/// How long the last page stays when no key is pressed.
const UNTOUCHED: Duration = Duration::from_secs(5);
/// How long it stays otherwise: until q is pressed.
const FOREVER: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often the reader of keys looks whether it is still wanted.
const KEY_WAIT: Duration = Duration::from_millis(100);

/// Whether this process has changed the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Pages on a terminal.
pub(super) struct Pages {
    showing: Showing,
    turn: Turn,
    snapshot: Snapshot,
    keys: Option<Keys>,
    /// When the first problem began.
    started: Option<Instant>,
    open: bool,
}

impl Pages {
    /// Pages, if there is a terminal to show them on.
    pub(super) fn on_terminal(showing: Showing) -> Option<Box<dyn Screen>> {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let seen = std::io::stdin().is_terminal()
            && std::io::stderr().is_terminal()
            && umbrail::server::prints_to_terminal();
        if showing == Showing::Off || dumb || !seen {
            return None;
        }
        let (turn, snapshot) = (Turn::default(), Snapshot::default());
        Some(Box::new(Self { showing, turn, snapshot, keys: None, started: None, open: false }))
    }

    /// Takes the terminal; without one the work continues unseen.
    fn open(&mut self) {
        let Some(keys) = self.keys.take() else { return };
        if terminal::enable_raw_mode().is_err() {
            return;
        }
        TAKEN.store(true, Ordering::SeqCst);
        give_back_on_panic();
        let mut out = std::io::stderr().lock();
        let _ = queue!(out, EnterAlternateScreen, cursor::Hide, Clear(ClearType::All));
        let _ = out.flush();
        self.open = true;
        // Without a reader of keys the pages are shown all the same, and signals still work.
        let _ = std::thread::Builder::new().name("keys".to_owned()).spawn(move || read(&keys));
    }

    fn draw(&self) {
        if !self.open || !TAKEN.load(Ordering::SeqCst) {
            return;
        }
        let (width, height) = terminal::size().unwrap_or((80, 24));
        let size = (usize::from(width), usize::from(height));
        let lines = layout::page(&self.snapshot, self.turn, size);
        let _ = write(&lines, std::env::var_os("NO_COLOR").is_none());
    }
}

/// Draws all lines at once; each is cleared after its end, so nothing flickers.
fn write(lines: &[Line], colored: bool) -> std::io::Result<()> {
    let mut bytes: Vec<u8> = vec![];
    for (row, line) in (0..).zip(lines) {
        queue!(bytes, cursor::MoveTo(0, row))?;
        for (style, text) in &line.0 {
            let color = match style {
                Style::Green => Some(Color::Green),
                Style::Violet => Some(Color::Magenta),
                Style::Dim => Some(Color::DarkGrey),
                Style::Plain | Style::Bold => None,
            };
            match color.filter(|_| colored) {
                Some(color) => queue!(bytes, SetForegroundColor(color))?,
                None if *style == Style::Bold => queue!(bytes, SetAttribute(Attribute::Bold))?,
                None if *style == Style::Dim => queue!(bytes, SetAttribute(Attribute::Dim))?,
                None => {}
            }
            bytes.write_all(text.as_bytes())?;
            if *style != Style::Plain {
                queue!(bytes, SetAttribute(Attribute::Reset), ResetColor)?;
            }
        }
        queue!(bytes, Clear(ClearType::UntilNewLine))?;
    }
    queue!(bytes, Clear(ClearType::FromCursorDown))?;
    let mut out = std::io::stderr().lock();
    out.write_all(&bytes)?;
    out.flush()
}

/// Reads keys until the terminal is given back.
fn read(keys: &Keys) {
    while TAKEN.load(Ordering::SeqCst) {
        match event::poll(KEY_WAIT) {
            Ok(false) => {}
            Ok(true) => match event::read() {
                Ok(Event::Key(pressed)) => keys(meaning(pressed)),
                Ok(_) => keys(Key::Other),
                Err(_) => return,
            },
            Err(_) => return,
        }
    }
}

/// Meaning of a key. Some systems also report the release of a key, which is ignored.
fn meaning(pressed: KeyEvent) -> Key {
    if pressed.kind == KeyEventKind::Release {
        return Key::Other;
    }
    let control = pressed.modifiers.contains(KeyModifiers::CONTROL);
    match pressed.code {
        KeyCode::Char('c' | 'C') if control => Key::Stop,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Char('s' | 'S') => Key::Skip,
        KeyCode::Char('q' | 'Q') => Key::Quit,
        _ => Key::Other,
    }
}

/// Gives the terminal back, once.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = std::io::stderr();
        let _ = queue!(out, ResetColor, cursor::Show, LeaveAlternateScreen);
        let _ = out.flush();
        let _ = terminal::disable_raw_mode();
    }
}

/// A panic is reported on a terminal that can show it.
fn give_back_on_panic() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        give_back();
        before(info);
    }));
}

impl Screen for Pages {
    fn listen(&mut self, keys: Keys) {
        self.keys = Some(keys);
    }

    fn show(&mut self, snapshot: Snapshot) {
        // The first problem may have worked before its first report.
        let started = *self.started.get_or_insert_with(|| {
            let now = Instant::now();
            now.checked_sub(snapshot.time).unwrap_or(now)
        });
        self.snapshot = snapshot;
        let worth = self.showing == Showing::On
            || started.elapsed() >= MOMENT && self.snapshot.verdict.is_none();
        if !self.open && worth {
            self.open();
        }
        self.draw();
    }

    fn press(&mut self, key: Key) -> Wish {
        let wish = self.turn.press(key, &self.snapshot);
        self.draw();
        wish
    }

    fn is_open(&self) -> bool {
        self.open && TAKEN.load(Ordering::SeqCst)
    }

    fn stays(&self) -> Duration {
        if self.showing == Showing::On || self.turn.touched { FOREVER } else { UNTOUCHED }
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            give_back();
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_meanings() {
        let press = |code, modifiers| meaning(KeyEvent::new(code, modifiers));
        let none = KeyModifiers::NONE;
        assert_eq!(press(KeyCode::Char('s'), none), Key::Skip);
        assert_eq!(press(KeyCode::Char('q'), none), Key::Quit);
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Key::Stop);
        assert_eq!(press(KeyCode::Char('c'), none), Key::Other);
        assert_eq!(press(KeyCode::Left, none), Key::Left);
        let kind = KeyEventKind::Release;
        let release = KeyEvent::new_with_kind(KeyCode::Char('s'), none, kind);
        assert_eq!(meaning(release), Key::Other);
    }

    #[test]
    fn a_page_is_not_opened_for_a_moment_and_stays_while_keys_are_pressed() {
        let pages = |showing| Pages {
            showing,
            turn: Turn::default(),
            snapshot: Snapshot::default(),
            keys: None,
            started: None,
            open: false,
        };
        let mut auto = pages(Showing::Auto);
        assert_eq!(auto.stays(), UNTOUCHED);
        auto.press(Key::Left);
        assert_eq!(auto.stays(), FOREVER);
        assert_eq!(pages(Showing::On).stays(), FOREVER);
        assert!(!auto.is_open());
    }
}
