//! Conditions on strategies, each with a sentence, as the editor lists them.

use maud::{Markup, html};

/// An example of each kind of condition, and its meaning.
const CONDITIONS: &[(&str, &str)] = &[
    (
        "Sb1-c3",
        "the knight from b1 (S or N) goes to c3 next, without a capture; it may go on from there",
    ),
    ("Sb1-c3<", "it goes to c3 and stays: nothing follows"),
    ("Sb1xc4", "its next capture is on c4"),
    ("Sb1xQd8", "its next capture is that of the queen from d8, anywhere"),
    ("Sb1_c4", "it stops on c4 or captures there, with no capture on the way"),
    ("Sb1__c4", "it stops on c4, with any captures on the way"),
    ("Sb1_xc4", "it captures on c4, with any captures on the way"),
    ("Pa2=R", "the pawn from a2 becomes a rook"),
    ("Pa2-a8=R", "it becomes a rook on a8"),
    ("Pa2xb5=R-c4<", "it captures on b5, becomes a rook, goes to c4 and stays there"),
    ("Sb1.a", "the piece survives"),
    ("Sb1.d", "the piece is captured"),
    ("Sb1.Qd8:", "the queen from d8 captures it"),
    ("Kg1<", "the white king castles to g1 and stays there"),
    ("fm:w>=5", "White has at least five free moves"),
    ("cc:Sb1>=3", "the piece makes at least three captures"),
    ("ml:Sb1<5", "the piece needs fewer than five moves"),
];
/// Words that join conditions.
const JOINED: &[(&str, &str)] = &[
    (" AND ", "both conditions hold; with OR in the same condition, write brackets"),
    (" OR ", "one of them holds"),
    ("NOT ", "the next condition does not hold"),
    ("Sb1-c3 AND NOT Pa2=R", "an example of the three"),
];

/// Writes the list. With a script, a click adds the condition to the field.
pub(super) fn list() -> Markup {
    let row = |(text, meaning): &(&str, &str)| {
        html! { li { button.mono.small type="button" data-condition=(text) { (text.trim()) } " " (meaning) } }
    };
    html! {
        details #conditions {
            summary { "Conditions, with examples" }
            p.hint { "Pieces are named by letter and initial square. With a condition, only strategies that meet it are searched." }
            ul.marklist { @for one in CONDITIONS.iter().chain(JOINED) { (row(one)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CONDITIONS, JOINED};
    use umbrail_proof::Condition;

    #[test]
    fn every_example_is_a_condition() {
        for (text, _) in CONDITIONS {
            text.parse::<Condition>().unwrap_or_else(|error| panic!("{text}: {error}"));
        }
        for (text, _) in JOINED {
            let whole = match text.trim() {
                "NOT" => format!("{text}Sb1.a"),
                "AND" | "OR" => format!("Sb1.a{text}Pa2=R"),
                whole => whole.to_owned(),
            };
            whole.parse::<Condition>().unwrap_or_else(|error| panic!("{whole}: {error}"));
        }
    }
}
