//! The pages in someone else's program, under a path of its own choice: every link, every form and every way back stays
//! there, with what a proxy takes away before it.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{between, cities, form};
use crate::requests::{Answer, exchange};
use runtime::http::DoorSettings;
use std::net::SocketAddr;

const PATH: &str = "/desk";
/// Where a tag may lead to.
const LEADS: [&str; 6] = ["href", "action", "formaction", "src", "hx-get", "hx-post"];

/// A browser that knows the pages by the address that their links have.
struct Desk {
    address: SocketAddr,
    /// What a proxy takes away.
    before: &'static str,
    cookie: String,
}

impl Desk {
    /// Asks for an address that a page or an answer gave.
    #[track_caller]
    fn ask(&self, method: &str, there: &str, body: Option<&str>) -> Answer {
        let path = there.strip_prefix(self.before).expect(there);
        let headers = [
            ("Cookie", &*self.cookie),
            ("Accept-Language", "en"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        exchange(self.address, &format!("{method} {path}"), &headers, body)
    }

    /// The address of a page.
    fn at(&self, path: &str) -> String {
        format!("{}{PATH}{path}", self.before)
    }

    /// Sends a form with the token of a page; where one is led then.
    #[track_caller]
    fn send(&self, page: &Answer, path: &str, fields: &[(&str, &str)]) -> String {
        let token = between(&page.body, r#"name="token" value=""#);
        let fields = [fields, &[("token", &*token)][..]].concat();
        place_of(&self.ask("POST", &self.at(path), Some(&form(&fields))))
    }
}

/// Where an answer leads.
#[track_caller]
fn place_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.header("location").expect("a place").to_owned()
}

/// Where a page leads to on its host.
fn targets(page: &str) -> Vec<&str> {
    let of = |name: &str| {
        let beginning = format!(" {name}=\"/");
        let at = page.match_indices(&beginning);
        let starts = at.map(|(at, _)| at + beginning.len() - 1);
        let texts = starts.filter_map(|start| page[start..].split('"').next());
        texts.collect::<Vec<_>>()
    };
    LEADS.into_iter().flat_map(of).collect()
}

/// Signs in, on the way from a page that asks for it.
fn enter(server: &AdminServer, door: &DoorSettings, before: &'static str) -> Desk {
    let mut desk = Desk {
        address: server.beside(door),
        before,
        cookie: String::new(),
    };
    let areas = desk.at("/areas");
    let sent_on = place_of(&desk.ask("GET", &areas, None));
    assert!(sent_on.starts_with(&desk.at("/sign-in?next=")), "{sent_on}");
    let page = desk.ask("GET", &sent_on, None).is(200);
    let given = page.header("set-cookie").expect("a cookie");
    let given = given.split(';').next().expect("a pair");
    given.clone_into(&mut desk.cookie);
    let [next, token] =
        ["next", "token"].map(|it| between(&page.body, &format!(r#"name="{it}" value=""#)));
    let fields = [
        ("username", "ada"),
        ("password", PASSWORD),
        ("next", &*next),
        ("token", &*token),
    ];
    let entered = desk.ask("POST", &desk.at("/sign-in"), Some(&form(&fields)));
    assert_eq!(place_of(&entered), areas, "back to where one wanted");
    let cookie = entered.header("set-cookie").expect("a cookie");
    cookie
        .split(';')
        .next()
        .expect("a pair")
        .clone_into(&mut desk.cookie);
    desk
}

/// All that pages lead to is below their path.
fn assert_below(desk: &Desk, [dataset, record]: [&str; 2]) {
    let below = desk.at("/");
    for path in [
        "/",
        "/areas",
        "/schemas",
        "/faults",
        "/search?q=A1",
        "/go?q=A",
        "/keys",
        "/users/new",
        "/audit",
        "/jobs",
        "/profile",
        &format!("/datasets/{dataset}"),
        &format!("/datasets/{dataset}?q=is%3Afaulty"),
        &format!("/datasets/{dataset}/import"),
        &format!("/datasets/{dataset}/mend?field=People"),
        &format!("/datasets/{dataset}/records/{record}"),
        &format!("/datasets/{dataset}/records/{record}/history"),
    ] {
        let page = desk.ask("GET", &desk.at(path), None).is(200);
        let targets = targets(&page.body);
        assert!(targets.len() > 10, "{path}: {targets:?}");
        let outside: Vec<_> = targets
            .iter()
            .filter(|it| !it.starts_with(&below))
            .collect();
        assert!(outside.is_empty(), "{path} leads to {outside:?}");
        let script = targets.iter().find(|it| it.contains("/assets/"));
        desk.ask("GET", script.expect("a script"), None).is(200);
    }
}

/// What forms lead to is below the path, too, up to the end of the session.
fn assert_back(desk: &Desk) {
    let areas = desk.at("/areas");
    let page = desk.ask("GET", &areas, None).is(200);
    let name = format!("Harbour{}", desk.before);
    let made = desk.send(&page, "/areas", &[("name", &*name)]);
    assert!(made.starts_with(&desk.at("/areas/")), "{made}");
    let chosen = desk.at(&format!("/language/de?next={made}"));
    assert_eq!(place_of(&desk.ask("GET", &chosen, None)), made);
    // what is no page of these leads home
    let chosen = desk.at("/language/de?next=/app/areas");
    assert_eq!(place_of(&desk.ask("GET", &chosen, None)), desk.at("/"));
    assert_eq!(desk.send(&page, "/sign-out", &[]), desk.at("/sign-in"));
    let sent_on = place_of(&desk.ask("GET", &areas, None));
    assert!(sent_on.starts_with(&desk.at("/sign-in")), "{sent_on}");
}

#[test]
fn pages_under_another_path_lead_to_each_other_alone() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    for (public_url, before) in [
        (None, ""),
        (Some("https://data.example/masters"), "/masters"),
    ] {
        let door = DoorSettings {
            pages_path: Some(PATH.to_owned()),
            public_url: public_url.map(str::to_owned),
            ..DoorSettings::default()
        };
        let desk = enter(&server, &door, before);
        assert_below(&desk, [&dataset, &record]);
        assert_back(&desk);
    }
}
