//! Which page and which view of it is shown, and what a key changes.

use umbrail::server::{Key, Wish};
use umbrail::session::snapshot::Snapshot;

/// Where the reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    /// Players come first, then seekers, then the workers of a cluster.
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
    /// Of the workers on several machines.
    Cluster,
}

/// What is shown below the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageView {
    /// Current work: the strategy of a player, the path of a seeker.
    Work,
    /// Strategies by free moves.
    Histogram,
    /// A strategy that has games, by index.
    Strategy(usize),
    /// A game of such a strategy, by both indexes.
    Game(usize, usize),
}

impl Turn {
    /// The current page; none while there are no workers.
    pub(super) fn page(self, snapshot: &Snapshot) -> Option<Page> {
        let (players, seekers) = (snapshot.players.len(), snapshot.seekers.len());
        match self.page.checked_rem(pages(snapshot))? {
            page if page < players => Some(Page::Player(page)),
            page if page < players + seekers => Some(Page::Seeker(page - players)),
            _ => Some(Page::Cluster),
        }
    }

    /// The views of the current page: the work, for seekers and when strategies are only counted the
    /// histogram, and for each strategy with games the game and then the strategy.
    pub(super) fn views(self, snapshot: &Snapshot) -> Vec<PageView> {
        let mut views = vec![PageView::Work];
        if snapshot.counting || matches!(self.page(snapshot), Some(Page::Seeker(_))) {
            views.push(PageView::Histogram);
        }
        for (at, found) in snapshot.found.iter().enumerate() {
            views.extend((0..found.games.len()).map(|game| PageView::Game(at, game)));
            views.push(PageView::Strategy(at));
        }
        views
    }

    /// The current view.
    pub(super) fn view(self, snapshot: &Snapshot) -> PageView {
        let views = self.views(snapshot);
        views[self.view % views.len()]
    }

    /// A key was pressed: what it changes here, and what it asks of the program.
    pub(super) fn press(&mut self, key: Key, snapshot: &Snapshot) -> Wish {
        self.touched |= key != Key::Other;
        let pages = pages(snapshot).max(1);
        let views = self.views(snapshot).len();
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

fn pages(snapshot: &Snapshot) -> usize {
    snapshot.players.len() + snapshot.seekers.len() + usize::from(snapshot.cluster.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use umbrail::session::snapshot::{ClusterPage, FoundStrategy, PlayerPage, SeekerPage};

    fn snapshot(players: usize, seekers: usize, games: &[usize]) -> Snapshot {
        let found = |&games: &usize| FoundStrategy {
            games: vec![String::new(); games],
            ..FoundStrategy::default()
        };
        Snapshot {
            players: vec![PlayerPage::default(); players],
            seekers: vec![SeekerPage::default(); seekers],
            found: games.iter().map(found).collect(),
            ..Snapshot::default()
        }
    }

    #[test]
    fn left_and_right_go_through_players_and_seekers() {
        let snapshot = snapshot(2, 2, &[]);
        let mut turn = Turn::default();
        let mut pages = vec![turn.page(&snapshot)];
        for _ in 0..4 {
            assert_eq!(turn.press(Key::Right, &snapshot), Wish::Nothing);
            pages.push(turn.page(&snapshot));
        }
        use Page::{Player, Seeker};
        let expected = [Player(0), Player(1), Seeker(0), Seeker(1), Player(0)].map(Some);
        assert_eq!(pages, expected);
        turn.press(Key::Left, &snapshot);
        assert_eq!(turn.page(&snapshot), Some(Seeker(1)));
        assert_eq!(Turn::default().page(&Snapshot::default()), None);
        let cluster = Some(ClusterPage::default());
        let snapshot = Snapshot { cluster, ..snapshot };
        let last = Turn { page: 4, ..Turn::default() };
        assert_eq!(last.page(&snapshot), Some(Page::Cluster));
    }

    #[test]
    fn up_shows_the_game_and_then_its_strategy_and_down_goes_back() {
        let snapshot = snapshot(1, 1, &[1, 2]);
        let mut turn = Turn::default();
        let mut views = vec![];
        for _ in 0..6 {
            turn.press(Key::Up, &snapshot);
            views.push(turn.view(&snapshot));
        }
        use PageView::{Game, Strategy, Work};
        let expected = [Game(0, 0), Strategy(0), Game(1, 0), Game(1, 1), Strategy(1), Work];
        assert_eq!(views, expected);
        turn.press(Key::Down, &snapshot);
        assert_eq!(turn.view(&snapshot), Strategy(1));
    }

    #[test]
    fn seekers_have_a_histogram_and_players_too_when_strategies_are_only_counted() {
        let mut snapshot = snapshot(1, 1, &[]);
        let mut turn = Turn::default();
        turn.press(Key::Up, &snapshot);
        assert_eq!(turn.view(&snapshot), PageView::Work);
        snapshot.counting = true;
        turn = Turn::default();
        turn.press(Key::Up, &snapshot);
        assert_eq!(turn.view(&snapshot), PageView::Histogram);
        turn.press(Key::Right, &snapshot);
        assert_eq!(turn.view(&snapshot), PageView::Histogram);
    }

    #[test]
    fn other_keys_ask_the_program() {
        let snapshot = snapshot(1, 1, &[]);
        let mut turn = Turn::default();
        turn.press(Key::Other, &snapshot);
        assert!(!turn.touched);
        assert_eq!(turn.press(Key::Skip, &snapshot), Wish::Skip);
        assert_eq!(turn.press(Key::Quit, &snapshot), Wish::Leave);
        assert_eq!(turn.press(Key::Stop, &snapshot), Wish::Leave);
        assert!(turn.touched);
    }
}
