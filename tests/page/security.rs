//! What a hostile page, a hostile name and a hostile client get: nothing.

use crate::page::Page;
use std::io::{Read, Write};
use std::time::{Duration, Instant};
use umbrail_chess::SplitMix64;

const DIAGRAM: &str = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";

#[test]
fn the_first_line_is_the_address_and_the_page_is_whole() {
    let page = Page::serve("first", &[]);
    assert!(page.url.starts_with("http://127.0.0.1:") && page.url.ends_with('/'), "{}", page.url);
    let reply = page.get("/");
    assert_eq!(reply.status, 200, "{reply:?}");
    let policy = reply.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'self';") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(reply.header("x-frame-options"), Some("DENY"));
    assert_eq!(reply.header("referrer-policy"), Some("same-origin"));
    assert_eq!(reply.header("access-control-allow-origin"), None);
    // Files are kept by browsers as long as they are those of this program; pages are not.
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let style = reply.body.split('"').find(|part| part.ends_with("/style.css")).expect("a style");
    let kept = page.get(style);
    assert!(kept.header("cache-control").is_some_and(|kept| kept.contains("immutable")));
    let old = page.get("/assets/0123456789abcdef/style.css");
    assert_eq!((old.status, old.header("cache-control")), (200, Some("no-store")));
    // Everything that a page names is there, and nothing is written into it that the policy forbids.
    for path in ["/", "/proof"] {
        let text = page.get(path).body;
        for part in text.split('"').filter(|part| part.starts_with("/assets/")) {
            assert_eq!(page.get(part).status, 200, "{part}");
        }
        assert!(!text.contains("style=") && !text.contains("onclick="), "{path}");
        let scripts = text.matches("<script").count();
        assert_eq!(scripts, text.matches("<script type=\"module\" src=\"/assets/").count());
        for link in text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let link = link.replace("&amp;", "&");
            if link.starts_with('/') && !link.starts_with("/assets/") {
                assert_eq!(page.get(&link).status, 200, "{path} leads to {link}");
            }
        }
    }
}

#[test]
fn a_foreign_host_is_refused() {
    let page = Page::serve("host", &[]);
    let port = page.host.split(':').nth(1).expect("a port");
    for host in
        [format!("evil.example:{port}"), "evil.example".into(), String::new(), "127.0.0.1:1".into()]
    {
        let reply =
            page.raw(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
        assert!(matches!(reply.status, 400 | 421), "{host}: {reply:?}");
        assert!(!reply.body.contains("Umbrail"));
    }
    let twice = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        page.host
    );
    assert!(matches!(page.raw(&twice).status, 400 | 421));
    let none = page.raw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert!(matches!(none.status, 400 | 421), "{none:?}");
    assert_eq!(
        page.raw(&format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"))
            .status,
        200
    );
}

#[test]
fn a_link_of_another_site_needs_one_more_click() {
    let page = Page::serve("link", &[]);
    let link =
        ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"];
    let reply = page.ask("GET", "/play?fen=4k3/8/8/8/8/8/8/4K3+w&go=1", &link, "");
    assert_eq!(reply.status, 403);
    let own = "<a href=\"/play?fen=4k3/8/8/8/8/8/8/4K3+w&amp;go=1\">";
    assert!(reply.body.contains(own), "{}", reply.body);
    for path in ["//evil.example/", "/\\evil.example/"] {
        let body = page.ask("GET", path, &link, "").body;
        assert!(!body.contains("href=\"//") && !body.contains("href=\"/\\"), "{body}");
    }
    // What is no link in a tab of its own is refused as before.
    for other in ["Sec-Fetch-Dest: iframe", "Sec-Fetch-Dest: image"] {
        let reply = page.ask("GET", "/play", &[link[0], link[1], other], "");
        assert!(reply.status == 403 && !reply.body.contains("href"), "{reply:?}");
    }
    let reply = page.ask("POST", "/theme", &link, "");
    assert!(reply.status == 403 && !reply.body.contains("href"), "{reply:?}");
}

#[test]
fn a_foreign_site_can_neither_read_nor_change() {
    let page = Page::serve("site", &[]);
    let form = "Content-Type: application/x-www-form-urlencoded";
    let body = format!("fen={DIAGRAM}&moves=2.5");
    let own = format!("Origin: http://{}", page.host);
    let refused: &[&[&str]] = &[
        &[form, "Origin: http://evil.example"],
        &[form, "Origin: null"],
        &[form],
        &[form, "Sec-Fetch-Site: cross-site"],
        &[form, "Sec-Fetch-Site: none"],
        &[form, &own, "Sec-Fetch-Site: same-site"],
        &[form, "Origin: http://localhost:1", "Sec-Fetch-Site: same-origin"],
    ];
    for headers in refused {
        let reply = page.ask("POST", "/proof", headers, &body);
        assert_eq!(reply.status, 403, "{headers:?}: {reply:?}");
    }
    for headers in [
        &["Sec-Fetch-Site: cross-site"][..],
        &["Origin: http://evil.example"],
        &["Sec-Fetch-Site: same-site"],
    ] {
        for path in ["/", "/api/runs", "/api/events/proof-1", "/api/analysis", "/api/game"] {
            assert_eq!(page.ask("GET", path, headers, "").status, 403, "{path} {headers:?}");
        }
    }
    assert_eq!(page.json("/api/runs").as_array().map(Vec::len), Some(0), "nothing was started");
    assert_eq!(page.ask("GET", "/", &["Sec-Fetch-Site: none"], "").status, 200);
    assert_eq!(page.ask("OPTIONS", "/proof", &[&own], "").status, 405);
    assert_eq!(page.ask("DELETE", "/proof", &[&own], "").status, 405);
}

#[test]
fn the_documentation_is_served() {
    let page = Page::serve("help", &[]);
    let list = page.get("/help").body;
    let links: Vec<&str> = list
        .split("href=\"")
        .filter_map(|part| part.split('"').next().filter(|link| link.starts_with("/help/")))
        .collect();
    assert!(links.len() > 15, "{links:?}");
    for link in links {
        let path = link.split('#').next().expect("a path");
        let reply = page.get(path);
        assert_eq!(reply.status, 200, "{link}");
        // Links within the documentation lead to headings that exist.
        for target in reply.body.split("href=\"").skip(1).filter_map(|part| part.split('"').next())
        {
            let Some((document, anchor)) = target.split_once('#') else { continue };
            let document = if document.is_empty() { path } else { document };
            if document.starts_with("/help/") {
                let text = page.get(document).body;
                assert!(text.contains(&format!("id=\"{anchor}\"")), "{path}: {target}");
            }
        }
    }
    assert_eq!(page.get("/help/nothing").status, 404);
    assert!(page.get("/proof").body.contains("href=\"/help/page#proof-games\""));
}

#[test]
fn no_path_leaves_the_folder() {
    let page = Page::serve("paths", &[]);
    std::fs::write(page.folder.join("secret"), "secret words").expect("a file");
    let paths = [
        "/runs/../files/secret",
        "/runs/%2e%2e/files/secret",
        "/runs/..%2f/files/secret",
        "/runs/a/files/..%2f..%2fsecret",
        "/runs/%2e%2e%2f%2e%2e/files/secret",
        "/proof/..%2f..%2fsecret",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%00",
        "/api/events/..%2f..",
    ];
    for path in paths {
        let reply = page.get(path);
        assert!(
            !reply.body.contains("secret words") && !reply.body.contains("[package]"),
            "{path}"
        );
        assert!(reply.status >= 400 || path.starts_with("/api/events"), "{path}: {reply:?}");
    }
}

#[test]
fn large_bodies_and_heads_are_refused() {
    let page = Page::serve("large", &[]);
    let reply = page.post("/proof", &[("fen", &"8".repeat(10 << 20)), ("moves", "2.5")]);
    assert_eq!(reply.status, 413, "{}", reply.head);
    let long = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(100 << 10), page.host);
    assert!(matches!(page.raw(&long).status, 414 | 431 | 400), "{}", page.raw(&long).head);
    assert_eq!(page.get("/").status, 200);
}

#[test]
fn a_thousand_streams_do_not_keep_others_out() {
    let page = Page::serve("streams", &[]);
    let id = begin_long(&page);
    let mut kept = vec![];
    let mut refused = 0;
    for _ in 0..1_000 {
        let mut stream = page.connect();
        let request = format!("GET /api/events/{id} HTTP/1.1\r\nHost: {}\r\n\r\n", page.host);
        stream.write_all(request.as_bytes()).expect("it takes requests");
        let mut start = [0; 12];
        stream.read_exact(&mut start).expect("an answer");
        match &start[9..] {
            b"200" => kept.push(stream),
            b"503" => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((kept.len(), refused), (64, 936));
    assert_eq!(page.get("/").status, 200);
    drop(kept);
    let since = Instant::now();
    while page.get("/api/events/none").status != 200 {
        assert!(since.elapsed() < Duration::from_secs(20), "places come back");
    }
    page.post(&format!("/runs/{id}/stop"), &[]);
}

/// A run that takes longer than a test.
pub(crate) fn begin_long(page: &Page) -> String {
    let form = [("fen", crate::proof::LONG.0), ("moves", crate::proof::LONG.1)];
    let reply = page.post("/proof", &form);
    let place = reply.header("location").unwrap_or_else(|| panic!("{reply:?}"));
    place.rsplit('/').next().expect("a name").to_owned()
}

#[test]
fn a_silent_client_is_disconnected() {
    let page = Page::serve("slow", &[]);
    let mut slow = page.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("it takes requests");
    let mut body = page.connect();
    let head = format!(
        "POST /proof HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: 100\r\n\r\nfen=",
        page.host
    );
    body.write_all(head.as_bytes()).expect("it takes requests");
    assert_eq!(page.get("/").status, 200, "others are served meanwhile");
    let mut end = vec![];
    slow.read_to_end(&mut end).expect("the connection is closed before the client gives up");
    let mut start = [0; 12];
    body.read_exact(&mut start).expect("an answer");
    assert_eq!(&start[9..], b"408");
}

#[test]
fn other_machines_need_a_token() {
    let page = Page::serve("token", &["--token", "abcdefgh1234"]);
    assert!(page.url.ends_with("/?token=abcdefgh1234"), "{}", page.url);
    assert_eq!(page.get("/").status, 401);
    assert_eq!(page.get("/assets/style.css").status, 401);
    assert_eq!(page.get("/?token=abcdefgh1235").status, 401);
    let reply = page.get("/?token=abcdefgh1234");
    assert_eq!((reply.status, reply.header("location")), (303, Some("/")));
    // The address stays, without the token, and leads to no other host.
    let reply = page.get("/play?fen=8/8/8/8&token=abcdefgh1234&lines=2");
    assert_eq!(reply.header("location"), Some("/play?fen=8/8/8/8&lines=2"));
    let reply = page.get("//evil.example/?token=abcdefgh1234");
    assert_eq!(reply.header("location"), Some("/evil.example/"));
    let cookie = reply.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = format!("Cookie: a=b; {}", cookie.split(';').next().unwrap_or(""));
    assert_eq!(page.ask("GET", "/", &[&cookie], "").status, 200);
    let wrong = cookie.replace("abcdefgh1234", "abcdefgh123");
    assert_eq!(page.ask("GET", "/", &[&wrong], "").status, 401);
    // Browsers send the cookies of all ports of a host.
    let other = cookie.replacen("umbrail_token_", "umbrail_token_1", 1);
    assert_eq!(page.ask("GET", "/", &[&other], "").status, 401);
    let open = Page::serve("listen", &["--listen", "0.0.0.0"]);
    assert!(open.url.contains("/?token="), "a token is generated: {}", open.url);
    assert_eq!(open.get("/").status, 401);
}

/// Random requests made of parts that the page knows: none ends it, none is an internal error.
#[test]
fn no_request_ends_the_page() {
    const PARTS: &[&str] = &[
        "/",
        "proof",
        "steno",
        "tables",
        "play",
        "pieces",
        "survey",
        "bench",
        "api",
        "analysis",
        "game",
        "events",
        "runs",
        "check",
        "read",
        "board",
        "KQ.K",
        "K?.K",
        "positions",
        "?",
        "&",
        "fen=",
        "moves=",
        "text=",
        "piece=",
        "go=1",
        "depth=",
        "letters=",
        "pattern=",
        "metric=",
        "do=compose",
        "9",
        "-1",
        "%",
        "%ff",
        "%00",
        "%3Cb%3E",
        "..",
        "X%20=%20N",
        "(",
        "$",
        "36~#",
        "8/8/8/8",
        "k7/8/8/8/8/8/8/K7%20w",
        "18446744073709551616",
        "%F0%9F%98%80",
    ];
    let page = Page::serve("random", &[]);
    let mut numbers = SplitMix64::new(1);
    let mut next = |most: usize| numbers.below(most as u64) as usize;
    for _ in 0..400 {
        let count = next(8);
        let path: String =
            std::iter::once("/").chain((0..count).map(|_| PARTS[next(PARTS.len())])).collect();
        let body = if next(3) == 0 { Some(PARTS[next(PARTS.len())]) } else { None };
        let origin = format!("Origin: http://{}", page.host);
        let kind = "Content-Type: application/x-www-form-urlencoded";
        let reply = match body {
            Some(body) => page.ask("POST", &path, &[&origin, kind], body),
            None => page.get(&path),
        };
        assert!((200..500).contains(&reply.status), "{path} {body:?}: {reply:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_request_to_end_stops_runs_and_keeps_them() {
    let mut page = Page::serve("end", &[]);
    let id = begin_long(&page);
    let pid = page.child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-TERM", &pid]).status();
    assert!(killed.expect("it is reported").success());
    assert!(page.child.wait().expect("it ends").success());
    let again = Page::serve_in(&page.folder, &[]);
    assert_eq!(again.state(&id), "paused");
}
