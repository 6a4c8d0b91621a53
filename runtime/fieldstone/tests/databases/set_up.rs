//! The set-up of an empty database on which several servers begin: each tells a link of its own, whichever server a link is
//! opened at knows it, and one tenant comes of all of them.

use crate::place::Place;
use crate::support::{Response, Server, word_after};
use serde_json::json;

const PASSWORD: &str = "seven grey owls";
/// What all servers are reached by.
const PUBLIC: [&str; 2] = ["--public-url", "https://master.example"];
/// What a link to the set-up has before its code.
const LINK: &str = "https://master.example/app/setup#";

/// The code of the link that a server told.
fn code(server: &Server) -> String {
    let told = server.wait_for_error(LINK);
    assert!(told.contains("for a week, at each server"), "{told}");
    word_after(&told, LINK).to_owned()
}

fn set_up(server: &Server, code: &str, tenant: &str) -> Response {
    let body = json!({"code": code, "tenant": tenant, "username": "ada",
        "email": "ada@example.org", "password": PASSWORD});
    server.send("POST", "", "/admin/api/v1/setup", &body.to_string())
}

/// Servers that are started at the same moment.
fn at_once<const COUNT: usize>(place: &Place, names: [&str; COUNT]) -> [Server; COUNT] {
    std::thread::scope(|scope| {
        let begun = names.map(|name| scope.spawn(move || place.serve(name, &PUBLIC)));
        begun.map(|it| it.join().expect("it starts"))
    })
}

fn tenants(place: &Place) -> Vec<String> {
    let listed = place.json(&["tenant", "list"]);
    let listed = listed.as_array().expect("tenants").iter();
    let names = listed.map(|tenant| tenant["name"].as_str().expect("a name").to_owned());
    names.collect()
}

pub(crate) fn one_tenant_comes_of_the_links_of_servers_that_begin_at_once() {
    let place = Place::new();
    let servers = at_once(&place, ["one", "other", "third"]);
    let codes = servers.each_ref().map(code);
    for (at, server) in servers.iter().enumerate() {
        assert!(!codes[..at].contains(&codes[at]), "each is another");
        assert_eq!(set_up(server, "fss_guess", "Acme").status, 403);
        assert_eq!(server.get("", "/app/setup").status, 200);
        let sign_in = server.get("", "/app/sign-in").body;
        assert!(sign_in.contains("the link that the service showed"));
    }
    let dump = place.cluster.dump(place.database()).expect("a dump");
    assert!(dump.contains("set-up-codes"), "they are kept");
    assert!(!codes.iter().any(|code| dump.contains(code.as_str())));
    // all are used at once, each at a server that did not tell it
    let names = ["Acme", "Birch", "Cedar"];
    let answers = std::thread::scope(|scope| {
        let (servers, codes) = (&servers, &codes);
        let asked = [0, 1, 2].map(|at| {
            scope.spawn(move || set_up(&servers[(at + 1) % 3], &codes[at], names[at]).status)
        });
        asked.map(|asked| asked.join().expect("an answer"))
    });
    let count = |status| answers.iter().filter(|it| **it == status).count();
    assert_eq!((count(200), count(409)), (1, 2), "{answers:?}");
    let first = answers.iter().position(|status| *status == 200);
    let first = names[first.expect("one is made")];
    assert_eq!(tenants(&place), [first]);
    for (server, code) in servers.iter().zip(&codes) {
        assert_eq!(set_up(server, code, "Dune").status, 409);
        let signed_in = json!({"username": "ada", "password": PASSWORD, "token": true});
        let path = "/admin/api/v1/sessions";
        let signed_in = server.send("POST", "", path, &signed_in.to_string());
        assert_eq!(signed_in.status, 200, "{}", signed_in.body);
    }
    // what is gone leaves its name and no document
    let look = format!(
        "\\connect {}\nSELECT 'kept: ' || document FROM catalog WHERE id = 'set-up-codes';",
        place.database()
    );
    let kept = place.cluster.run(&look).expect("it is asked");
    assert!(!kept.contains("kept: "), "{kept}");
    let said = place.serve("fourth", &PUBLIC).stop();
    assert!(!said.contains("setup#"), "{said}");
}

pub(crate) fn a_link_outlives_the_server_that_told_it_and_ends_with_a_tenant_of_the_machine() {
    let place = Place::new();
    let [one, other] = at_once(&place, ["one", "other"]);
    let (of_one, of_other) = (code(&one), code(&other));
    one.stop();
    // it is another server's now
    let page = other.get("", "/app/setup");
    assert_eq!(page.status, 200, "{}", page.body);
    std::fs::write(place.path().join("password"), PASSWORD).expect("written");
    let init = ["init", "--tenant", "Acme", "--email", "ada@example.org"];
    place.json(&[&init[..], &["--password-file", "password"]].concat());
    for code in [&of_one, &of_other] {
        assert_eq!(set_up(&other, code, "Birch").status, 409);
        let page = other.get("", "/app/setup");
        assert_eq!(page.status, 404, "{}", page.body);
        assert!(page.body.contains("Already set up"), "{}", page.body);
    }
    assert_eq!(tenants(&place), ["Acme"]);
}
