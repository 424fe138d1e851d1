//! Which page and which view of it is shown, and what a key changes.

use crate::server::{Key, Wish};
use crate::session::spg::picture::Picture;

/// Where the reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    /// Players come first, then seekers.
    pub(super) page: usize,
    /// What is shown below the board.
    pub(super) view: usize,
    /// Some key was pressed: a person is there.
    pub(super) touched: bool,
}

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// Of a player, by index.
    Player(usize),
    /// Of a seeker, by index.
    Seeker(usize),
}

/// What stands below the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// What goes on: the strategy of a player, the path of a seeker.
    Work,
    /// Strategies by free moves.
    Histogram,
    /// A strategy that has games, by index.
    Strategy(usize),
    /// A game of such a strategy, by both indexes.
    Game(usize, usize),
}

impl Turn {
    /// The page at hand; none while there are no workers.
    pub(super) fn page(self, picture: &Picture) -> Option<Page> {
        let (players, seekers) = (picture.players.len(), picture.seekers.len());
        match self.page.checked_rem(players + seekers)? {
            page if page < players => Some(Page::Player(page)),
            page => Some(Page::Seeker(page - players)),
        }
    }

    /// The views of the page at hand: the work, for seekers and when strategies are only counted the
    /// histogram, and for each strategy with games the game and then the strategy.
    pub(super) fn views(self, picture: &Picture) -> Vec<View> {
        let mut views = vec![View::Work];
        if picture.counting || matches!(self.page(picture), Some(Page::Seeker(_))) {
            views.push(View::Histogram);
        }
        for (at, found) in picture.found.iter().enumerate() {
            views.extend((0..found.games.len()).map(|game| View::Game(at, game)));
            views.push(View::Strategy(at));
        }
        views
    }

    /// The view at hand.
    pub(super) fn view(self, picture: &Picture) -> View {
        let views = self.views(picture);
        views[self.view % views.len()]
    }

    /// A key was pressed: what it changes here, and what it asks of the program.
    pub(super) fn press(&mut self, key: Key, picture: &Picture) -> Wish {
        self.touched |= key != Key::Other;
        let pages = (picture.players.len() + picture.seekers.len()).max(1);
        let views = self.views(picture).len();
        match key {
            Key::Left => self.page = (self.page % pages + pages - 1) % pages,
            Key::Right => self.page = (self.page % pages + 1) % pages,
            Key::Up => self.view = (self.view % views + 1) % views,
            Key::Down => self.view = (self.view % views + views - 1) % views,
            Key::Skip => return Wish::Skip,
            Key::Stop | Key::Quit => return Wish::Leave,
            Key::Other => {}
        }
        Wish::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::spg::picture::{Found, Player, Seeker};

    fn picture(players: usize, seekers: usize, games: &[usize]) -> Picture {
        let found =
            |&games: &usize| Found { games: vec![String::new(); games], ..Found::default() };
        Picture {
            players: vec![Player::default(); players],
            seekers: vec![Seeker::default(); seekers],
            found: games.iter().map(found).collect(),
            ..Picture::default()
        }
    }

    #[test]
    fn left_and_right_go_through_players_and_seekers() {
        let picture = picture(2, 2, &[]);
        let mut turn = Turn::default();
        let mut pages = vec![turn.page(&picture)];
        for _ in 0..4 {
            assert_eq!(turn.press(Key::Right, &picture), Wish::Nothing);
            pages.push(turn.page(&picture));
        }
        use Page::{Player, Seeker};
        let expected = [Player(0), Player(1), Seeker(0), Seeker(1), Player(0)].map(Some);
        assert_eq!(pages, expected);
        turn.press(Key::Left, &picture);
        assert_eq!(turn.page(&picture), Some(Seeker(1)));
        assert_eq!(Turn::default().page(&Picture::default()), None);
    }

    #[test]
    fn up_shows_the_game_and_then_its_strategy_and_down_goes_back() {
        let picture = picture(1, 1, &[1, 2]);
        let mut turn = Turn::default();
        let mut views = vec![];
        for _ in 0..6 {
            turn.press(Key::Up, &picture);
            views.push(turn.view(&picture));
        }
        use View::{Game, Strategy, Work};
        let expected = [Game(0, 0), Strategy(0), Game(1, 0), Game(1, 1), Strategy(1), Work];
        assert_eq!(views, expected);
        turn.press(Key::Down, &picture);
        assert_eq!(turn.view(&picture), Strategy(1));
    }

    #[test]
    fn seekers_have_a_histogram_and_players_too_when_strategies_are_only_counted() {
        let mut picture = picture(1, 1, &[]);
        let mut turn = Turn::default();
        turn.press(Key::Up, &picture);
        assert_eq!(turn.view(&picture), View::Work);
        picture.counting = true;
        turn = Turn::default();
        turn.press(Key::Up, &picture);
        assert_eq!(turn.view(&picture), View::Histogram);
        turn.press(Key::Right, &picture);
        assert_eq!(turn.view(&picture), View::Histogram);
    }

    #[test]
    fn other_keys_ask_the_program() {
        let picture = picture(1, 1, &[]);
        let mut turn = Turn::default();
        turn.press(Key::Other, &picture);
        assert!(!turn.touched);
        assert_eq!(turn.press(Key::Skip, &picture), Wish::Skip);
        assert_eq!(turn.press(Key::Quit, &picture), Wish::Leave);
        assert_eq!(turn.press(Key::Stop, &picture), Wish::Leave);
        assert!(turn.touched);
    }
}
