//! All moves of a piece as templates, by square.

use super::bent::BentMove;
use super::expand::expand;
use super::movement::MoveAtom;
use super::template::Template;
use crate::grid::Grid;
use umbrail_chess::geometry::{Color, Square, SymmetryGroup};

/// Templates by square.
#[derive(Clone, Debug, Default)]
pub struct TemplateList {
    start: Vec<u32>,
    templates: Vec<Template>,
}

impl TemplateList {
    /// Creates a list; `squares` returns the squares under which a template is listed.
    fn new(templates: &[Template], squares: impl Fn(&Template) -> u64) -> Self {
        let mut list = Self { start: vec![0], templates: vec![] };
        for square in 0..64 {
            list.templates.extend(templates.iter().filter(|t| squares(t) >> square & 1 != 0));
            list.start.push(list.templates.len() as u32);
        }
        list
    }

    /// Returns the templates of a square.
    #[inline]
    pub fn at(&self, square: u8) -> &[Template] {
        let square = usize::from(square) & 63;
        &self.templates[self.start[square] as usize..self.start[square + 1] as usize]
    }

    /// Returns all templates, square by square.
    pub fn all(&self) -> &[Template] {
        &self.templates
    }
}

/// All moves of a piece of one color.
#[derive(Clone, Debug)]
pub struct Templates {
    /// Quiet moves by square of origin.
    pub quiet: TemplateList,
    /// Quiet moves by target: retractions.
    pub(crate) unmoves: TemplateList,
    /// Captures by square of origin.
    pub captures: TemplateList,
    /// Captures by each square where they capture.
    pub(crate) attacks: TemplateList,
    /// Symmetries of the board that map the moves to themselves.
    pub(crate) symmetry: SymmetryGroup,
    /// Some capture takes two pieces.
    pub(crate) takes_two: bool,
    /// No quiet move changes the color of the piece's square.
    pub(crate) color_bound: bool,
}

impl Templates {
    /// Returns the moves of a piece of this color.
    pub(super) fn new(steps: &[MoveAtom], bent: &[BentMove], color: Color) -> Self {
        let templates = expand(steps, bent, color, &Grid::CHESS);
        let (quiet, captures): (Vec<_>, Vec<_>) =
            templates.into_iter().partition(Template::is_quiet);
        let light = |square: u8| Square::new(square).is_light();
        Self {
            symmetry: symmetry(&quiet).intersection(symmetry(&captures)),
            takes_two: captures.iter().any(|t| t.take.count_ones() == 2),
            color_bound: quiet.iter().all(|t| light(t.from) == light(t.to)),
            unmoves: TemplateList::new(&quiet, |t| 1 << t.to),
            quiet: TemplateList::new(&quiet, |t| 1 << t.from),
            attacks: TemplateList::new(&captures, |t| t.take),
            captures: TemplateList::new(&captures, |t| 1 << t.from),
        }
    }

    /// Returns the moves from a square that are possible among these pieces; `own` and `enemy` are
    /// without the mover.
    pub fn possible(&self, from: Square, own: u64, enemy: u64) -> impl Iterator<Item = &Template> {
        let all = self.quiet.at(from.number()).iter().chain(self.captures.at(from.number()));
        all.filter(move |template| template.holds(own, enemy))
    }
}

/// Returns the symmetries that map a list of templates, in ascending order, to itself.
fn symmetry(templates: &[Template]) -> SymmetryGroup {
    SymmetryGroup::of(|symmetry| {
        let mut images: Vec<Template> = templates.iter().map(|t| t.image(symmetry)).collect();
        images.sort_unstable();
        images == templates
    })
}

#[cfg(test)]
mod tests;
