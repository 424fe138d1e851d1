//! Shared parts of the solvers' reports: the frame of a self-contained HTML page, texts escaped for
//! HTML, and drawings as SVG. Each solver writes the contents of its pages. LaTeX and PGN
//! have one writer each and are not part of this crate.
//!
//! ```
//! use umbrail_report::{HtmlPage, escaped};
//!
//! let body = format!("<h1>{}</h1>\n", escaped("1. e4 & mate"));
//! let page = HtmlPage { title: "A game", style: "h1{color:#333}", body: &body, script: "" }.to_string();
//! assert!(page.starts_with("<!DOCTYPE html>") && page.contains("e4 &amp; mate"));
//! ```

pub mod drawing;
mod page;

pub use page::{HtmlPage, escaped};
