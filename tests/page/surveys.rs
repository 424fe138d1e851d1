//! Surveys as runs: counted one endgame after the other, sorted, gone on with after a kill.

use crate::page::Page;
use std::time::{Duration, Instant};

fn started(page: &Page, form: &[(&str, &str)]) -> (String, String) {
    let reply = page.post("/survey", form);
    let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
    let id = place.strip_prefix("/survey/").expect("a survey").to_owned();
    (place, id)
}

#[test]
fn a_survey_is_a_run_and_its_table_can_be_sorted() {
    let page = Page::serve("survey", &[]);
    let (place, id) =
        started(&page, &[("pattern", "K?.KN"), ("letters", "NRQ"), ("metric", "dtm")]);
    page.wait(&id, "done");
    let text = page.get(&place).body;
    assert!(text.contains("Done: 3 of 3 endgames are counted"), "{text}");
    let order = |query: &str| {
        let text = page.get(&format!("{place}{query}")).body;
        let heads = text.split("<th scope=\"row\">").skip(1);
        heads.map(|rest| rest.split('<').next().unwrap_or("").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(order(""), ["KN", "KR", "KQ"]);
    assert_eq!(order("?sort=wins&by=KN"), ["KQ", "KR", "KN"]);
    assert_eq!(order("?sort=longest"), ["KR", "KQ", "KN"]);
    assert!(page.get("/").body.contains("Survey K?.KN (dtm)"));
    let refused = page.post("/survey", &[("pattern", "K?.K?"), ("letters", "ABCDEFGHIJKLM")]);
    assert!(refused.status == 422 && refused.body.contains("at most 12 letters"), "{refused:?}");
    assert_eq!(page.post("/survey", &[("pattern", "../?")]).status, 422);
}

#[test]
fn a_killed_survey_goes_on_behind_the_tables_that_it_has_kept() {
    let mut page = Page::serve("survey-kill", &[]);
    let (_, id) = started(&page, &[("pattern", "K??.K"), ("letters", "QRBN"), ("metric", "dtm")]);
    let log = page.folder.join("runs").join(&id).join("log");
    let rows =
        || std::fs::read_to_string(&log).map_or(0, |text| text.matches("\"material\"").count());
    let since = Instant::now();
    while rows() < 2 {
        assert!(since.elapsed() < Duration::from_secs(60), "no endgame is counted");
        std::thread::sleep(Duration::from_millis(5));
    }
    page.child.kill().expect("it is killed");
    page.child.wait().expect("it has ended");
    let kept = page.folder.join("tables/usual").read_dir().expect("a folder").count();
    assert!(kept > 0);
    let again = Page::serve_in(&page.folder, &[]);
    if again.state(&id) == "interrupted" {
        assert_eq!(again.post(&format!("/runs/{id}/resume"), &[]).status, 303);
    }
    again.wait(&id, "done");
    let text = again.get(&format!("/survey/{id}")).body;
    assert!(text.contains("10 of 10 endgames are counted"), "{text}");
}
