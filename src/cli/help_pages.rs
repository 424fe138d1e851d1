//! The documents that the local page has under Help.

use umbrail_page::HelpPage;

/// Documents in the order of their list: first steps, guides, reference, background.
pub(super) const PAGES: &[HelpPage] = &[
    page("first-sessions", include_str!("../../docs/first-sessions.md")),
    page("proof-guide", include_str!("../../docs/proof-guide.md")),
    page("proof-conditions", include_str!("../../docs/proof-conditions.md")),
    page("proof", include_str!("../../docs/proof.md")),
    page("tables-tutorial", include_str!("../../docs/tables-tutorial.md")),
    page("steno", include_str!("../../docs/steno.md")),
    page("synthetic", include_str!("../../docs/synthetic.md")),
    page("page", include_str!("../../docs/page.md")),
    page("install", include_str!("../../docs/install.md")),
    page("laboratory", include_str!("../../docs/laboratory.md")),
    page("xp", include_str!("../../docs/xp.md")),
    page("testers", include_str!("../../docs/testers.md")),
    page("cluster", include_str!("../../docs/cluster.md")),
    page("batch", include_str!("../../docs/batch.md")),
    page("options", include_str!("../../docs/options.md")),
    page("json", include_str!("../../docs/json.md")),
    page("formats", include_str!("../../docs/formats.md")),
    page("tables", include_str!("../../docs/tables.md")),
    page("search", include_str!("../../docs/search.md")),
    page("strength", include_str!("../../docs/strength.md")),
    page("training", include_str!("../../docs/training.md")),
    page("perft", include_str!("../../docs/perft.md")),
];

const fn page(name: &'static str, text: &'static str) -> HelpPage {
    HelpPage { name, text }
}
