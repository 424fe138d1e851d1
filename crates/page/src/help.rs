//! The documentation of the program, under Help.

use super::SharedPage;
use super::shell::{Shell, fault};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Opening tags of a table that scrolls if it is too wide. The role `group` is not a landmark: landmarks need different
/// names.
const SCROLLED: &str =
    "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>";

/// One document, in Markdown. It begins with a heading, its title.
#[derive(Clone, Copy, Debug)]
pub struct HelpPage {
    /// Name in addresses, and of the file without `.md`.
    pub name: &'static str,
    /// The document.
    pub text: &'static str,
}

impl HelpPage {
    fn title(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        line.trim_start_matches('#').trim()
    }
}

/// Serves the list of documents.
pub(super) async fn list(State(shared): State<SharedPage>, headers: HeaderMap) -> Markup {
    let content = html! {
        h1 { "Help" }
        div.panel.wide {
            ul { @for page in shared.help { li { a href=(format!("/help/{}", page.name)) { (page.title()) } } } }
        }
    };
    Shell { title: "Help", here: "/help", script: None, headers: &headers }.page(&content)
}

/// Serves one document.
pub(super) async fn page(
    State(shared): State<SharedPage>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Some(page) = shared.help.iter().find(|page| page.name == name) else {
        return fault(
            StatusCode::NOT_FOUND,
            &headers,
            "The documentation has no page with this name.",
        );
    };
    let here = format!("/help/{name}");
    let shell = Shell { title: page.title(), here: &here, script: None, headers: &headers };
    let content = html! {
        p { a href="/help" { "All pages" } }
        article.panel.help { (PreEscaped(rendered(page.text, shared.help))) }
    };
    shell.page(&content).into_response()
}

/// Returns a document as HTML. Headings get identifiers, links to other documents lead to their pages, and links to files
/// that are not served are plain text.
fn rendered(text: &str, pages: &[HelpPage]) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
    let mut shown = Vec::with_capacity(events.len());
    // For each open link, whether it is shown.
    let mut links = vec![];
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = Some(CowStr::from(identifier(&heading(&events[at..], *level))));
                let (classes, attrs) = (classes.clone(), attrs.clone());
                shown.push(Event::Start(Tag::Heading { level: *level, id, classes, attrs }));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let address = served(dest_url, pages);
                links.push(address.is_some());
                if let Some(address) = address {
                    let (title, id, dest_url) = (title.clone(), id.clone(), address.into());
                    shown.push(Event::Start(Tag::Link {
                        link_type: *link_type,
                        dest_url,
                        title,
                        id,
                    }));
                }
            }
            Event::End(TagEnd::Link) => {
                if links.pop() == Some(true) {
                    shown.push(event.clone());
                }
            }
            // Pictures are not served; their descriptions remain.
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            // The documents have no HTML of their own.
            Event::Html(text) | Event::InlineHtml(text) => shown.push(Event::Text(text.clone())),
            other => shown.push(other.clone()),
        }
    }
    let mut html = String::with_capacity(text.len() * 2);
    pulldown_cmark::html::push_html(&mut html, shown.into_iter());
    // Wide examples scroll, also by the keyboard; the corner of a table is no heading.
    html.replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<table>", SCROLLED)
        .replace("</table>", "</table></div>")
        .replace("<th></th>", "<td></td>")
}

/// Returns the text of the heading with which the events begin.
fn heading(events: &[Event<'_>], level: HeadingLevel) -> String {
    let inside = events.iter().take_while(|event| **event != Event::End(TagEnd::Heading(level)));
    inside
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        })
        .collect()
}

/// Returns the identifier of a heading, as GitHub makes it: `1. Write it down` is `1-write-it-down`.
fn identifier(heading: &str) -> String {
    let kept = heading.chars().filter_map(|letter| match letter {
        ' ' | '-' => Some('-'),
        '_' => Some('_'),
        letter => letter.is_alphanumeric().then_some(letter),
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// Returns the address of a link's target on this page, or on the web.
fn served(target: &str, pages: &[HelpPage]) -> Option<String> {
    if target.starts_with('#') || target.starts_with("https://") {
        return Some(target.to_owned());
    }
    let (file, anchor) = match target.split_once('#') {
        Some((file, anchor)) => (file, format!("#{anchor}")),
        None => (target, String::new()),
    };
    let name = file.rsplit('/').next()?.strip_suffix(".md")?;
    pages.iter().any(|page| page.name == name).then(|| format!("/help/{name}{anchor}"))
}

#[cfg(test)]
mod tests {
    use super::{HelpPage, identifier, rendered};

    #[test]
    fn links_lead_to_pages_that_are_served() {
        let pages = [HelpPage { name: "proof", text: "# Proof games" }];
        let text = "# A *title*\n\n[one](proof.md#sheets) [two](../docs/proof.md) [three](LICENSE) [four](other.md) \
                    ![picture](page.png) <script>alert(1)</script>\n\n## 1. Write it down\n";
        let html = rendered(text, &pages);
        for part in [
            "<h1 id=\"a-title\">",
            "<a href=\"/help/proof#sheets\">one</a>",
            "<a href=\"/help/proof\">two</a>",
            " three four picture ",
            "<h2 id=\"1-write-it-down\">",
            "&lt;script&gt;",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert_eq!(identifier("`umbrail egt`: tables_x"), "umbrail-egt-tables_x");
    }
}
