//! What the reports of several solvers share: the shell of an HTML page that stands alone, and texts escaped for HTML
//! and JSON, and drawings as SVG. What stands on a page is up to each solver; LaTeX and PGN have one writer each and are not here.
//!
//! ```
//! use umbrail_report::{Page, escaped, json};
//!
//! let body = format!("<h1>{}</h1>\n", escaped("1. e4 & mate"));
//! let page = Page { title: "A game", style: "h1{color:#333}", body: &body, script: "" }.to_string();
//! assert!(page.starts_with("<!DOCTYPE html>") && page.contains("e4 &amp; mate"));
//! assert_eq!(json::quoted("say \"mate\""), r#""say \"mate\"""#);
//! ```

pub mod drawing;
pub mod json;
mod page;

pub use page::{Page, escaped};
