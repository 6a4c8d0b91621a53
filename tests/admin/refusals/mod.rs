//! What every operation of management refuses in the same way, asked of each that the OpenAPI document
//! names: no credential, no right, no such thing, a body that is none, too large or too slow, a store that
//! fails. The document says which of these an operation has.

mod setup;

pub(crate) use setup::{AdminSetup, Asked, all_are};

use crate::pages_failed::tricky;
use runtime::service::Owner;
use setup::{BODY_BYTES_MAX, MEMORY_BYTES};
use std::time::Duration;

#[test]
fn without_a_credential_every_operation_is_401() {
    let setup = AdminSetup::start();
    let ask = |asked: Asked| {
        let answer = setup.server.send(&asked.line(), &[], None);
        (asked, answer)
    };
    let asks_for_one = |asked: &Asked| asked.template != "/sessions";
    all_are(
        401,
        setup.with(401).into_iter().filter(asks_for_one).map(ask),
    );
}

#[test]
fn without_a_right_reading_is_403_and_so_is_a_change_by_cookie_alone() {
    let setup = AdminSetup::start();
    let (_, powerless) = setup.server.key("powerless", &[], &[]);
    let cookie = format!("fieldstone_session={}", setup.session);
    let ask = |asked: Asked| {
        let shown = if asked.is_change() {
            ("Cookie", cookie.as_str())
        } else {
            ("Authorization", powerless.as_str())
        };
        let answer = setup.server.send(&asked.line(), &[shown], None);
        (asked, answer)
    };
    // these ask for no right, and have a 403 of another kind
    let asks_for_one = |asked: &Asked| {
        let is_own =
            ["/sessions", "/setup", "/tenant"].contains(&asked.template) && asked.method != "PUT";
        !is_own && !asked.template.starts_with("/jobs")
    };
    let asked = setup.with(403).into_iter().filter(asks_for_one);
    all_are(403, asked.map(ask));
}

#[test]
fn an_id_that_is_not_there_is_404() {
    let setup = AdminSetup::start();
    let ask = |mut asked: Asked| {
        asked.path = asked.template.replace(['{', '}'], "");
        let answer = setup.ask(&asked, &[], asked.body(&setup).as_deref());
        (asked, answer)
    };
    let with_ids = |asked: &Asked| asked.template.contains('{');
    all_are(404, setup.with(404).into_iter().filter(with_ids).map(ask));
}

#[test]
fn a_name_that_is_taken_is_409() {
    let setup = AdminSetup::start();
    let is_named = |asked: &Asked| asked.method == "PUT" && asked.template.ends_with("/{id}");
    for asked in setup.operations().into_iter().filter(is_named) {
        let nouns = asked.template.trim_end_matches("/{id}");
        // the body of a change has the name that is asked for here
        setup.make(nouns, "Other");
        let answer = setup.ask(&asked, &[], asked.body(&setup).as_deref());
        all_are(409, [(asked, answer)]);
    }
    for (nouns, id) in &setup.deleted {
        setup
            .server
            .root(&format!("POST {nouns}/{id}/restore"), None)
            .is(200);
        setup
            .server
            .root(&format!("DELETE {nouns}/{id}"), None)
            .is(204);
        setup.make(nouns, "Gone");
        setup
            .server
            .root(&format!("POST {nouns}/{id}/restore"), None)
            .is(409);
    }
}

/// Whether it counts what a search finds: an administrator who reaches no data of the area may not, and it takes no
/// page and no memory. `faults.rs` has its refusals.
fn counts(asked: &Asked) -> bool {
    ["/faults", "/facets"]
        .iter()
        .any(|end| asked.template.ends_with(end))
}

#[test]
fn a_page_of_no_items_and_a_body_that_ends_early_or_is_an_array_are_400() {
    let setup = AdminSetup::start();
    // what is wrong with a file, its job tells, and a line's verdict what is wrong with the line
    let is_file = |asked: &Asked| {
        let ends = ["/imports", "/records/bulk", "/schemas/inferences", "/files"];
        ends.iter().any(|end| asked.template.ends_with(end))
    };
    // days have a number of their own, which `daily_counts.rs` has refused
    let is_of_days = |asked: &Asked| asked.template.ends_with("/days");
    // what a schema can't be given as, `schema_exports.rs` has refused
    let is_export = |asked: &Asked| asked.template.ends_with("/exports/{kind}");
    let is_other = |asked: &Asked| is_file(asked) || is_of_days(asked) || is_export(asked);
    let reads = |asked: &Asked| (asked.takes_body || !asked.is_change()) && !is_other(asked);
    // of nothing but what may be left out, an array is no body either
    for body in ["{", "[]"] {
        let ask = |mut asked: Asked| {
            asked.path += if asked.is_change() { "" } else { "?pageSize=0" };
            let answer = setup.ask(&asked, &[], asked.takes_body.then_some(body));
            (asked, answer)
        };
        let asked = setup.with(400).into_iter();
        let asked = asked.filter(|asked| reads(asked) && !counts(asked));
        all_are(400, asked.map(ask));
    }
}

#[test]
fn bodies_that_are_announced_as_text_too_large_or_never_sent_are_refused() {
    const JSON: (&str, &str) = ("Content-Type", "application/json");
    let setup = AdminSetup::start();
    let too_large = (BODY_BYTES_MAX + 1).to_string();
    let text = [("Content-Type", "text/plain"), ("Content-Length", "2")];
    let large = [JSON, ("Content-Length", too_large.as_str())];
    for (status, headers) in [(415, text), (413, large)] {
        let ask = |asked: Asked| {
            let answer = setup.ask(&asked, &headers, None);
            (asked, answer)
        };
        // a file has a limit of its own, which `pages_record_files.rs` passes
        let is_limited = |asked: &Asked| status != 413 || !asked.is_upload();
        let asked = setup.with(status).into_iter();
        all_are(status, asked.filter(is_limited).map(ask));
    }
    std::thread::scope(|scope| {
        let slow = [JSON, ("Content-Length", "2")];
        let ask = |asked: Asked| {
            let setup = &setup;
            scope.spawn(move || {
                let answer = setup.ask(&asked, &slow, None);
                (asked, answer)
            })
        };
        let waiting: Vec<_> = setup.with(408).into_iter().map(ask).collect();
        let answers = waiting
            .into_iter()
            .map(|one| one.join().expect("an answer"));
        all_are(408, answers);
    });
}

#[test]
fn what_finds_no_memory_is_503_and_nothing_of_it_was_done() {
    let setup = AdminSetup::start();
    let memory = setup.server.service.memory().clone();
    let taken = memory.take(Owner::default(), MEMORY_BYTES);
    let ask = |asked: Asked| {
        let answer = setup.ask(&asked, &[], asked.body(&setup).as_deref());
        assert_eq!(
            answer.header("retry-after"),
            (answer.status == 503).then_some("2")
        );
        (asked, answer)
    };
    let asked = setup.with(503).into_iter();
    let takes_some = |asked: &Asked| !counts(asked) && asked.method != "DELETE";
    all_are(503, asked.filter(takes_some).map(ask));
    drop(taken);
    // no name is taken, since nothing was made
    for nouns in [
        "/areas",
        "/domains",
        "/roles",
        "/users",
        "/api-keys",
        "/apps",
    ] {
        setup.make(nouns, "Other");
    }
    assert_eq!(memory.taken(), 0, "all of it was given back");
}

#[test]
fn what_is_deleted_while_the_database_is_away_is_503() {
    let mut setup = AdminSetup::start();
    let (server, store) = tricky(setup.server);
    setup.server = server;
    store.go_away();
    let ask = |asked: Asked| {
        let answer = setup.ask(&asked, &[], None);
        (asked, answer)
    };
    let asked = setup.with(503).into_iter();
    let asked: Vec<_> = asked.filter(|it| it.method == "DELETE").collect();
    assert!(!asked.is_empty());
    all_are(503, asked.into_iter().map(ask));
}

#[test]
fn a_store_that_fails_is_500_for_whoever_needs_it() {
    let setup = AdminSetup::start();
    let server = &setup.server;
    server.opened.drop_tables(server.folder.path());
    // connections that have read show what they saw, until they rest; which of them answers is chance
    let began = std::time::Instant::now();
    let mut in_a_row = 0;
    while in_a_row < 20 {
        let is_failing = server.root("GET /audit", None).status == 500;
        in_a_row = if is_failing { in_a_row + 1 } else { 0 };
        assert!(began.elapsed() < Duration::from_secs(60), "they never rest");
        std::thread::sleep(Duration::from_millis(if is_failing { 5 } else { 100 }));
    }
    let ask = |asked: Asked| {
        let answer = setup.ask(&asked, &[], asked.body(&setup).as_deref());
        (asked, answer)
    };
    let from_the_store = [
        "/audit",
        "/changes",
        "/days",
        "/recent-changes",
        "/deleted-records",
        "/history",
        "/records/{record}/versions/{version}",
        "/delivery",
        "/dead-letters",
        "/{id}/datasets",
        "/quotas",
        "/{id}/schemas",
    ];
    // what nobody made yet is judged by itself, and no record is judged by the domain that is there
    let by_itself = [
        "/schemas/inferences",
        "/schemas/trials",
        "/domains/{id}/effects",
    ];
    let needs_it = |asked: &Asked| {
        (asked.is_change() && !by_itself.contains(&asked.template))
            || asked.template.starts_with("/jobs")
            || from_the_store
                .iter()
                .any(|end| asked.template.ends_with(end))
    };
    let asked = setup.with(500).into_iter();
    // what makes the first tenant asks for nothing more where there is one
    let asked = asked.filter(|asked| !counts(asked) && asked.template != "/setup");
    let (needing, others): (Vec<_>, Vec<_>) = asked.partition(needs_it);
    // a server of several asks before each request whether another one changed something
    let expected = if tests::engine::is_database() {
        500
    } else {
        200
    };
    all_are(expected, others.into_iter().map(ask));
    // whoever signs out or changes the password is signed out by no failure
    all_are(500, needing.into_iter().map(ask));
}
