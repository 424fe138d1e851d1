//! Start of a problem of a sheet, with what it asks for.

use serde::{Deserialize, Serialize};

/// Start of a problem of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpgProblem {
    /// Number of the problem.
    pub number: u64,
    /// Number of problems.
    pub of: u64,
    /// Length in moves, such as `22.5`; none if the problem cannot be read.
    #[serde(alias = "moves", skip_serializing_if = "Option::is_none")]
    pub length_moves: Option<String>,
    /// Placement of the diagram; none if the problem cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Title, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Fairy conditions, as the key `condition` reads them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Meanings of letters, as the key `piece` reads them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<String>,
    /// First position of the games, if it is not the initial position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The side to move makes all moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<bool>,
    /// What else the problem asks for, in words: `color the pieces`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// The problem cannot be read; an error with the reason follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<bool>,
}
