//! The language of the pages is chosen by links, and a cookie remembers it.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities};
use crate::set_up::{offered, without_tenant};

/// The address of the link to a language on a page.
fn link_to(body: &str, code: &str) -> String {
    let begins = format!("<a href=\"/app/language/{code}?");
    let query = between(body, &begins);
    format!("/app/language/{code}?{query}")
}

#[test]
fn a_language_is_chosen_on_the_profile_and_remembered() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let profile = browser.get("/app/profile").is(200);
    let english = "hreflang=\"en\" lang=\"en\" aria-current=\"true\">English<";
    assert!(profile.body.contains(english), "{}", profile.body);
    let chosen = browser.get(&link_to(&profile.body, "de")).is(303);
    assert_eq!(chosen.header("location"), Some("/app/profile"));
    assert_eq!(chosen.header("cache-control"), Some("no-store"));
    let cookie = chosen.header("set-cookie").expect("a cookie");
    assert!(
        cookie.starts_with("fieldstone_language=de; Path=/; Max-Age="),
        "{cookie}"
    );
    let pair = cookie.split(';').next().expect("a pair");
    // the session goes on, and the browser still likes English best
    let german = Browser {
        cookie: format!("{}; {pair}", browser.cookie),
        ..browser
    };
    for path in ["/app/profile", &format!("/app/datasets/{dataset}")] {
        let page = german.get(path).is(200);
        assert!(page.body.contains("<html lang=\"de\">"), "{path}");
        assert!(page.header("vary").is_some());
    }
    let profile = german.get("/app/profile").is(200);
    let back = german.get(&link_to(&profile.body, "en")).is(303);
    let cookie = back.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with("fieldstone_language=en;"), "{cookie}");
}

#[test]
fn who_is_about_to_sign_in_chooses_a_language_and_still_comes_where_it_wanted() {
    let server = AdminServer::start();
    let page = server.send("GET /app/sign-in?next=%2Fapp%2Fjobs%3Fa%3Db", &[], None);
    let link = link_to(&page.is(200).body, "de");
    let chosen = server.send(&format!("GET {link}"), &[], None).is(303);
    let place = chosen.header("location").expect("a place");
    let cookie = chosen.header("set-cookie").expect("a cookie");
    let pair = cookie.split(';').next().expect("a pair");
    let page = server
        .send(&format!("GET {place}"), &[("Cookie", pair)], None)
        .is(200);
    assert!(page.body.contains("<h1>Anmelden</h1>"), "{}", page.body);
    let next = between(&page.body, r#"name="next" value=""#);
    assert_eq!(next, "/app/jobs?a=b");
}

#[test]
fn who_sets_up_a_service_chooses_a_language() {
    let server = without_tenant();
    offered(&server);
    let page = server.send("GET /app/setup", &[], None);
    let link = link_to(&page.is(200).body, "de");
    let chosen = server.send(&format!("GET {link}"), &[], None).is(303);
    // it has no fragment of its own, so browsers keep the one with the code
    assert_eq!(chosen.header("location"), Some("/app/setup"));
}

#[test]
fn the_link_to_a_language_leads_to_no_other_site_and_sets_no_other_cookie() {
    let server = AdminServer::start();
    for next in [
        "https%3A%2F%2Fexample.org%2F",
        "%2F%2Fexample.org%2F",
        "%2Fapp%2F%2Fexample.org%2F",
        "%2Fapp%2F%5Cexample.org%2F",
        "%2Fapplication",
        "%2Fapp.example.org%2F",
        "%2Fapp%40example.org%2F",
        "%2Fapp%2Fx%0D%0ASet-Cookie%3A%20a%3Db",
        "%2Fv1%2Fmy%2Fbusinessareas",
        "",
    ] {
        let line = format!("GET /app/language/de?next={next}");
        let answer = server.send(&line, &[], None).is(303);
        assert_eq!(answer.header("location"), Some("/app/"), "{next}");
        let cookies = answer.head.to_lowercase().matches("set-cookie").count();
        assert_eq!(cookies, 1, "{}", answer.head);
    }
    let strange = server.send("GET /app/language/tlh?next=%2Fapp%2F", &[], None);
    let strange = strange.is(404);
    assert_eq!(strange.header("set-cookie"), None);
}

#[test]
fn what_stands_at_the_root_is_said_in_the_language_of_who_reads_it() {
    let server = AdminServer::start();
    let (english, german) = ("This is a master-data service", "Dienst für Stammdaten");
    for (headers, code, told) in [
        (vec![], "en", english),
        (vec![("Accept-Language", "de-CH, en;q=0.5")], "de", german),
        (vec![("Accept-Language", "tlh")], "en", english),
        (
            vec![
                ("Accept-Language", "en;q=0.5"),
                ("Accept-Language", "de; Q=0.9"),
            ],
            "de",
            german,
        ),
        (
            vec![
                ("Accept-Language", "en"),
                ("Cookie", "fieldstone_language=de"),
            ],
            "de",
            german,
        ),
    ] {
        let page = server.send("GET /", &headers, None).is(200);
        let language = format!("<html lang=\"{code}\">");
        assert!(page.body.contains(&language), "{headers:?}: {}", page.body);
        assert!(page.body.contains(told), "{headers:?}: {}", page.body);
        let varies = page.header("vary").expect("by what it differs");
        assert!(varies.contains("accept-language"), "{varies}");
        assert!(page.body.contains("<code>/v1</code>"), "{}", page.body);
    }
}

#[test]
fn pages_speak_the_language_that_the_browser_likes() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let headers = [
        ("Cookie", &*browser.cookie),
        ("Accept-Language", "de-DE,de;q=0.9,en;q=0.8"),
    ];
    let path = format!("GET /app/datasets/{dataset}?q=is:faulty");
    let page = server.send(&path, &headers, None).is(200);
    assert!(page.body.contains(r#"<html lang="de">"#));
    assert!(page.body.contains("ist keine ganze Zahl"), "{}", page.body);
}
