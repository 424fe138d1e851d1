//! A self-contained page: diagram, verdict, strategies, and each game to step through.

use crate::report::SolvedProblem;
use std::fmt::Write as _;
use umbrail_report::drawing::{Board, piece_script, symbols};
use umbrail_report::{HtmlPage, escaped};

/// A page of problems, each made by [`section`], below the lines of a heading.
pub(super) fn page(title: &str, heading: &[String], sections: &str) -> String {
    let mut body = format!("{}\n", symbols());
    body.extend(heading.iter().map(|line| format!("<p>{}</p>\n", escaped(without_sign(line)))));
    body += "<p>Click a move to see its position; the arrow keys step forward and back.</p>\n";
    body += sections;
    let compiled = format!("{}{COMPILED}", piece_script());
    HtmlPage { title, style: STYLE, body: &body, script: &compiled }.to_string()
}

/// One problem of a page.
pub(super) fn section(solved: &SolvedProblem<'_>) -> String {
    let SolvedProblem { placement, credits, verdict, games, start, .. } = solved;
    let counts = solved.piece_counts();
    let board = Board { placement, ..Board::default() };
    let mut text = format!(
        "<section>\n<h1>{}</h1>\n{board}\n\
         <p>{} ({counts}): {}</p>\n<p><b>{}</b></p>\n<p><small>{}</small></p>\n",
        escaped(credits.title.unwrap_or("Proof game")),
        escaped(&verdict.stipulation),
        escaped(&verdict.task),
        escaped(&verdict.text),
        escaped(&verdict.scope),
    );
    if let Some(start) = start {
        let begins = solved.start_words();
        let _ = writeln!(text, "<p>Position A: {begins} ({})</p>", escaped(start));
        // The diagram above comes first, since the script moves its pieces.
        let placement = start.split(' ').next().unwrap_or_default();
        let _ = writeln!(text, "{}", Board { placement, ..Board::default() });
    }
    if !solved.letters.is_empty() {
        let _ = writeln!(text, "<p>Pieces: {}</p>", escaped(&solved.letters.join(", ")));
    }
    for comment in credits.comments {
        let _ = writeln!(text, "<p>{}</p>", escaped(without_sign(comment)));
    }
    let mut shown = 0;
    for game in games {
        if let Some(strategy) = game.strategy.as_ref().filter(|one| one.number > shown) {
            shown = strategy.number;
            let _ = writeln!(text, "<h2>Strategy {shown}</h2>");
            let _ = writeln!(text, "<pre>{}</pre>", escaped(&strategy.table.join("\n")));
        }
        let boards = game.placements.join(" ");
        let _ = writeln!(text, "<p class=\"game\" data-boards=\"{boards}\">");
        let first = usize::from(!solved.first.is_white());
        let first = if solved.series { 0 } else { first };
        for (at, (mv, ply)) in game.moves.iter().zip(game.plies(solved.series)).enumerate() {
            let ply = first + ply;
            match ply % 2 {
                0 => drop(write!(text, "{}. ", ply / 2 + 1)),
                _ if at == 0 => text += "1... ",
                _ => {}
            }
            let _ = write!(text, "<span>{}</span> ", escaped(mv));
        }
        let _ = writeln!(text, "</p>\n<p><small>{}</small></p>", escaped(&game.written));
    }
    text + "</section>\n"
}

/// The comment of a sheet without its sign.
fn without_sign(comment: &str) -> &str {
    comment.trim_start_matches(['#', '%', ';', '/']).trim_start()
}

/// A problem that was not searched, with the reason.
pub(super) fn unsolved(title: &str, word: &str, why: &str) -> String {
    let [title, why] = [title, why].map(escaped);
    format!("<section>\n<h1>{title}</h1>\n<p><b>{word}</b></p>\n<pre>{why}</pre>\n</section>\n")
}

/// On a phone, a wide line scrolls within its own box, and a word that is too long (a FEN) is broken: the page itself is
/// never wider than the screen.
const STYLE: &str = "\
body{font-family:sans-serif;margin:1em auto;padding:0 1em;max-width:44em;overflow-wrap:anywhere}\
pre{overflow-x:auto;overflow-wrap:normal}\
.symbols{position:absolute}svg.board{display:block;width:24em;max-width:100%;margin:1em 0}\
.game span{cursor:pointer}.game .now{background:#ffe08a}\
small{color:#666}";

const COMPILED: &str = "
let game=null,ply=0;
function show(which,at){
  const boards=which.dataset.boards.split(' ');
  if(at<0||at>=boards.length)return;
  document.querySelectorAll('.now').forEach(s=>s.className='');
  game=which; ply=at; drawPieces(which.closest('section').querySelector('.board'),boards[at]);
  if(at>0)which.querySelectorAll('span')[at-1].className='now';
}
document.querySelectorAll('.game').forEach(g=>
  g.querySelectorAll('span').forEach((s,i)=>s.onclick=()=>show(g,i+1)));
document.onkeydown=e=>{
  const first=document.querySelector('.game'); if(!game&&first){game=first;ply=0;}
  if(game&&e.key==='ArrowRight')show(game,ply+1);
  if(game&&e.key==='ArrowLeft')show(game,ply-1);
};
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::run::RunReport;
    use crate::run::record::{StrategyNumber, Success};
    use crate::{Diagram, Length, Waypoints, game_of, project};

    #[test]
    fn wide_lines_scroll_in_their_own_box() {
        let failed = unsolved("b) One", "error", &"x".repeat(300));
        let text = page("one", &[], &failed);
        assert!(text.contains("<pre>xxx") && text.contains("pre{overflow-x:auto;"), "{text}");
        assert!(text.contains("overflow-wrap:anywhere}"), "{text}");
    }

    #[test]
    fn the_page_has_every_position_of_every_game() {
        let game = game_of("f4 f5 Nf3").unwrap();
        let setup = "rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R".parse().unwrap();
        let diagram = Diagram::from_setup(&setup).unwrap();
        let problem = Problem { diagram, plies: 3, length: Length::Exact };
        let success = Success {
            number: StrategyNumber { retraction: 0, claim: 0, index: 0 },
            strategy: project(&game).unwrap(),
            needed: [0; 32],
            waypoints: Waypoints::default(),
            free: [0, 0],
            games: vec![game],
            complete: true,
        };
        let report = RunReport { successes: vec![success], searched: true, ..RunReport::default() };
        let one = SolvedProblem::exported(&problem, Some("<Test>"), &report, section);
        let text = page("two", &["# A & B".to_owned()], &format!("{one}{one}"));
        assert!(text.contains("<h1>&lt;Test&gt;</h1>"));
        assert!(text.contains("<b>C+: exactly one proof game in 1.5 moves (length exact: shorter games not searched)</b>"));
        let all = text.split("data-boards=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(all.split(' ').count(), 4);
        assert!(all.ends_with(&diagram.to_string()));
        // One document with one heading, however many problems there are.
        for (part, count) in
            [("<!DOCTYPE", 1), ("</html>", 1), ("<p>A &amp; B", 1), ("<section>", 2)]
        {
            assert_eq!(text.matches(part).count(), count, "{part}");
        }
    }
}
