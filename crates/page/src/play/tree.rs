//! The tree of a game's moves, made while its PGN is read.

use super::record::{GameError, GameRecord, NodeRecord, setup};
use super::rules::{of_variant, word};
use pgn_reader::{Nag, Outcome, RawComment, RawTag, SanPlus, Skip, Visitor};
use std::collections::HashMap;
use std::ops::ControlFlow;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_chess::{
    CastlingMode, Move, Position, PositionError, parse_san, parse_uci, to_san, to_uci,
};

/// Maximum number of moves of a game, with its variations.
pub(super) const NODES_MAX: usize = 10_000;
/// Maximum number of variations inside each other; deeper ones are left out.
const NESTED_MAX: usize = 64;
/// Maximum number of tags of a game.
const TAGS_MAX: usize = 100;

/// Place in the tree while a game is read.
#[derive(Clone, Copy)]
struct Cursor {
    node: Option<usize>,
    position: Position,
    /// The rest of this line is left out.
    is_cut: bool,
    /// No move of this variation was read yet.
    is_fresh: bool,
}

/// A game while it is read.
pub(super) struct Tree {
    mode: CastlingMode,
    pub(super) game: GameRecord,
    children: HashMap<(Option<usize>, String), usize>,
    root: Position,
    cursor: Cursor,
    /// Cursors of the lines around the current variation.
    outer: Vec<Cursor>,
    /// Comment before the next move.
    before: String,
    /// The first illegal move, with the reason.
    pub(super) illegal: Option<String>,
}

impl Tree {
    pub(super) fn new(setup: &Setup, mode: CastlingMode) -> Result<Self, PositionError> {
        let root = Position::from_setup(setup, mode)?;
        let cursor = Cursor { node: None, position: root, is_cut: false, is_fresh: false };
        let game = GameRecord {
            rules: word(mode),
            fen: root.to_setup().to_string(),
            result: "*".to_owned(),
            ..GameRecord::default()
        };
        let (children, outer, before) = (HashMap::new(), vec![], String::new());
        Ok(Self { mode, game, children, root, cursor, outer, before, illegal: None })
    }

    pub(super) fn play(&mut self, mv: Move) {
        let Cursor { node: parent, position, .. } = self.cursor;
        let uci = to_uci(&position, mv, self.mode.is_chess960());
        let after = position.after(mv);
        let known = self.children.get(&(parent, uci.clone())).copied();
        let at = known.unwrap_or_else(|| {
            self.game.nodes.push(NodeRecord {
                parent,
                uci: uci.clone(),
                san: to_san(&position, mv),
                fen: after.to_setup().to_string(),
                nags: vec![],
                before: std::mem::take(&mut self.before),
                comment: String::new(),
            });
            self.game.nodes.len() - 1
        });
        self.children.insert((parent, uci), at);
        self.cursor = Cursor { node: Some(at), position: after, is_cut: false, is_fresh: false };
    }

    /// Plays a move of PGN, or leaves out the rest of the line.
    fn read_move(&mut self, text: &str) {
        if self.cursor.is_cut {
            return;
        }
        let position = self.cursor.position;
        let read =
            parse_san(&position, text).or_else(|why| parse_uci(&position, text).map_err(|_| why));
        match read {
            Ok(_) if self.game.nodes.len() >= NODES_MAX => self.cursor.is_cut = true,
            Ok(mv) => self.play(mv),
            Err(why) => {
                self.cursor.is_cut = true;
                let number = position.to_setup().to_string();
                let number = number.rsplit(' ').next().unwrap_or("").to_owned();
                let dots = if position.turn() == Color::White { "." } else { "…" };
                self.illegal.get_or_insert(format!("{number}{dots} {text} is not played: {why}"));
            }
        }
    }

    /// Returns the position on the board.
    pub(super) fn position(&self) -> &Position {
        &self.cursor.position
    }

    fn comment(&mut self, text: &str) {
        let into = match self.cursor.node {
            _ if self.cursor.is_cut => return,
            _ if self.cursor.is_fresh => &mut self.before,
            None => &mut self.game.comment,
            Some(at) => &mut self.game.nodes[at].comment,
        };
        if !into.is_empty() {
            into.push(' ');
        }
        into.push_str(text.trim());
    }

    fn enter(&mut self) -> Skip {
        let Some(at) = self.cursor.node.filter(|_| self.outer.len() < NESTED_MAX) else {
            return Skip(true);
        };
        // In a line that was cut, the variation belongs to a move that is not there.
        if self.cursor.is_cut {
            return Skip(true);
        }
        let parent = self.game.nodes[at].parent;
        let position = parent.map_or(Some(self.root), |parent| {
            let setup = self.game.nodes[parent].fen.parse().ok()?;
            Position::from_setup(&setup, self.mode).ok()
        });
        let Some(position) = position else { return Skip(true) };
        self.outer.push(self.cursor);
        self.cursor = Cursor { node: parent, position, is_cut: false, is_fresh: true };
        Skip(false)
    }

    fn leave(&mut self) {
        self.before.clear();
        if let Some(cursor) = self.outer.pop() {
            self.cursor = cursor;
        }
    }
}

/// Makes a tree of one game.
pub(super) struct TreeReader {
    pub(super) mode: CastlingMode,
}

/// Tags of a game.
#[derive(Default)]
pub(super) struct Tags {
    all: Vec<(String, String)>,
}

impl Visitor for TreeReader {
    type Tags = Tags;
    type Movetext = Tree;
    type Output = Result<Tree, GameError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if tags.all.len() < TAGS_MAX {
            let name = String::from_utf8_lossy(name).into_owned();
            tags.all.push((name, value.decode_utf8_lossy().into_owned()));
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Tree> {
        let fen = tags.all.iter().find(|(name, _)| name == "FEN").map_or("", |(_, value)| value);
        let tree = setup(fen).map_err(GameError::from);
        let variant = tags.all.iter().find(|(name, _)| name == "Variant");
        let mode = variant.and_then(|(_, value)| of_variant(value)).unwrap_or(self.mode);
        match tree.and_then(|setup| Ok(Tree::new(&setup, mode)?)) {
            Ok(mut tree) => {
                tree.game.tags = tags.all;
                ControlFlow::Continue(tree)
            }
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn san(&mut self, tree: &mut Tree, san: SanPlus) -> ControlFlow<Self::Output> {
        tree.read_move(&san.to_string());
        ControlFlow::Continue(())
    }

    fn nag(&mut self, tree: &mut Tree, nag: Nag) -> ControlFlow<Self::Output> {
        if let (Some(at), false, false) =
            (tree.cursor.node, tree.cursor.is_cut, tree.cursor.is_fresh)
        {
            let nags = &mut tree.game.nodes[at].nags;
            if !nags.contains(&nag.0) {
                nags.push(nag.0);
            }
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, tree: &mut Tree, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        tree.comment(&String::from_utf8_lossy(comment.as_bytes()));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, tree: &mut Tree) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(tree.enter())
    }

    fn end_variation(&mut self, tree: &mut Tree) -> ControlFlow<Self::Output> {
        tree.leave();
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, tree: &mut Tree, outcome: Outcome) -> ControlFlow<Self::Output> {
        tree.game.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, tree: Tree) -> Self::Output {
        Ok(tree)
    }
}
