//! No page is left out where all of them are looked at: asked for with hostile texts, seen in a browser, its statements
//! counted, asked for under load. The table of the routes tells which there are.

use super::sources::root;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

/// The addresses of all pages.
fn pages() -> Vec<String> {
    let folder = "runtime/server/src/admin/pages";
    let sources = ["table.rs", "table/of_access.rs", "table/of_records.rs"]
        .map(|name| text_of(&format!("{folder}/{name}")));
    let source = sources.concat();
    let named = pattern(r#"const ([A-Z]+): &str = "([^"]+)""#);
    let named: Vec<_> = named.captures_iter(&source).collect();
    let pages = pattern(r#"R::page\(\s*(?:"([^"]+)"|([A-Z]+))\s*,"#);
    let pages = pages.captures_iter(&source).map(|page| {
        if let Some(path) = page.get(1) {
            return path.as_str().to_owned();
        }
        let own = named.iter().find(|own| own[1] == page[2]);
        own.expect("its address")[2].to_owned()
    });
    let pages: Vec<_> = pages.collect();
    assert!(pages.len() > 50, "{pages:?}");
    pages
}

/// Whether an address, as a story has it, may be that of a page.
fn is_of(address: &str, page: &str) -> bool {
    let (own, parts) = (address.split('/'), page.split('/'));
    let mut pairs = own.clone().zip(parts.clone());
    own.count() == parts.count() && pairs.all(|(own, part)| own == part || part.starts_with('{'))
}

/// The page of an address: one that has it as it stands comes before one that an id is put into.
fn page_of<'p>(address: &str, pages: &'p [String]) -> Option<&'p str> {
    let same = pages.iter().find(|page| *page == address);
    let page = same.or_else(|| pages.iter().find(|page| is_of(address, page)));
    page.map(String::as_str)
}

/// No page is without an address among these but those that are named with a reason, and those are without one.
#[track_caller]
fn assert_all(addresses: &[String], without: &[(&str, &str)]) {
    let pages = pages();
    let seen = addresses.iter().filter_map(|it| page_of(it, &pages));
    let seen: BTreeSet<&str> = seen.collect();
    let named: BTreeSet<&str> = without.iter().map(|(path, _)| *path).collect();
    let all: BTreeSet<&str> = pages.iter().map(String::as_str).collect();
    let left: Vec<_> = all
        .iter()
        .filter(|it| !seen.contains(*it) && !named.contains(*it))
        .collect();
    assert!(left.is_empty(), "nobody looks at {left:?}");
    let wrong: Vec<_> = named
        .iter()
        .filter(|it| seen.contains(*it) || !all.contains(*it))
        .collect();
    assert!(wrong.is_empty(), "needless, or no such page: {wrong:?}");
}

/// Pages that are no markup; those one comes to by a form, `tests/admin/pages_hostile.rs` has.
const NOT_HOSTILE: &[(&str, &str)] = &[
    ("/assets/{name}", "the program's own file"),
    ("/language/{code}", "it leads back"),
    ("/jobs/{id}", "one comes to it by a form"),
    ("/jobs/{id}/export", "a file"),
    ("/jobs/{id}/rejects", "a file"),
    ("/schemas/{id}/as/{kind}", "a file"),
    ("/audit/export", "a file"),
];

#[test]
fn every_page_is_asked_for_with_hostile_texts() {
    let stories = text_of("tests/admin/pages.rs");
    let (_, behind) = stories.split_once("const WITHOUT_ID").expect("addresses");
    let story = "fn no_text_of_anyone_becomes_markup";
    let (fixed, behind) = behind.split_once(story).expect("the story");
    let (story, _) = behind.split_once("\n}\n").expect("its end");
    let asked = format!("{fixed}{story}");
    let addresses = pattern(r#""/app(/[^"?]*)"#);
    let addresses: Vec<_> = addresses
        .captures_iter(&asked)
        .map(|it| it[1].to_owned())
        .collect();
    assert_all(&addresses, NOT_HOSTILE);
}

/// Pages whose statements nobody counts.
const NOT_COUNTED: &[(&str, &str)] = &[
    ("/assets/{name}", "it asks no store"),
    ("/language/{code}", "it leads back, and asks no store"),
    ("/jobs/{id}/export", "a file, as long as it is"),
    ("/jobs/{id}/rejects", "a file, as long as it is"),
    ("/schemas/{id}/as/{kind}", "a file"),
    ("/audit/export", "a file, as long as it is"),
    ("/setup", "nobody comes there once there is a tenant"),
];

#[test]
fn every_page_has_its_statements_counted() {
    let story = ["statements", "statements_of_many"]
        .map(|name| text_of(&format!("tests/admin/{name}.rs")))
        .concat();
    let addresses = pattern(r#""(?:/app|\{own\})[^"?]*"#);
    let mut addresses: Vec<_> = addresses
        .find_iter(&story)
        .map(|it| it.as_str().trim_start_matches('"'))
        .map(|it| it.replace("{own}", "/app/datasets/{dataset}"))
        .filter_map(|it| it.strip_prefix("/app").map(str::to_owned))
        .collect();
    // a list has the address alone
    addresses.retain(|it| !it.is_empty());
    assert_all(&addresses, NOT_COUNTED);
}

/// Pages that nobody asks for under load.
const NOT_ASKED: &[(&str, &str)] = &[
    ("/language/{code}", "it leads back, and shows nothing"),
    ("/jobs/{id}/export", "a file, as long as it is"),
    ("/jobs/{id}/rejects", "a file, as long as it is"),
    ("/audit/export", "a file, as long as it is"),
    ("/setup", "nobody comes there once there is a tenant"),
];

#[test]
fn every_page_is_asked_for_under_load() {
    // each kind has its route as the table has it, and the address that is asked for is made of that
    let folder = "tests/load/src/pages";
    let sources =
        ["of_data.rs", "of_management.rs"].map(|name| text_of(&format!("{folder}/{name}")));
    let source = sources.concat();
    let routes = pattern(r#"Kind::of\(\s*"[^"]*",\s*"(/[^"]*)","#);
    let routes: Vec<_> = routes
        .captures_iter(&source)
        .map(|it| it[1].to_owned())
        .collect();
    assert_eq!(routes.len(), source.matches("Kind::of(").count());
    let pages = pages();
    let strange: Vec<_> = routes.iter().filter(|it| !pages.contains(it)).collect();
    assert!(strange.is_empty(), "no such page: {strange:?}");
    assert_all(&routes, NOT_ASKED);
}

/// What names in `places.js` stand for.
const STANDS_FOR: &[(&str, &str)] = &[
    ("url", ""),
    ("there", "/app/datasets/{dataset}"),
    ("empty", "/app/datasets/{dataset}"),
    ("record", "/app/datasets/{dataset}/records/{record}"),
    ("area", "/app/areas/{area}"),
    ("schema", "/app/schemas/{schema}"),
    ("made.schema", "/app/schemas/{schema}"),
    ("made.key", "/app/keys/{key}"),
    ("made.user", "/app/users/{user}"),
    ("made.role", "/app/roles/{role}"),
    ("made.client", "/app/clients/{client}"),
    ("made.webhook", "/app/webhooks/{webhook}"),
    ("made.domain", "/app/domains/{domain}"),
];

/// Pages that one comes to by doing something, and what of `ways.js` does it.
const BY_A_WAY: &[(&str, &str)] = &[
    ("/jobs/{id}", "jobUnderWay"),
    ("/datasets/{id}/completions", "completing"),
    ("/datasets/{id}/records/{record}/cells/{field}", "editing"),
];

/// Pages that no place of the browser's tests shows.
const NOT_SEEN: &[(&str, &str)] = &[
    ("/assets/{name}", "pages load it"),
    ("/language/{code}", "it leads back"),
    (
        "/datasets/{id}/figures",
        "a part of the list, as a mended cell leaves it: `demo.test.js`",
    ),
    (
        "/search/completions",
        "a part of the field for queries: `typing.test.js`",
    ),
    ("/jobs/{id}/export", "a file"),
    ("/jobs/{id}/rejects", "a file"),
    ("/schemas/{id}/as/{kind}", "a file"),
    ("/audit/export", "a file"),
];

/// The address that a value of a place is, below `/app`; none of one that is come to by a way.
fn address(value: &str) -> Option<String> {
    let text = match value.strip_prefix('`').and_then(|it| it.split_once('`')) {
        Some((text, "")) => text.to_owned(),
        None if !value.contains('(') => format!("${{{value}}}"),
        _ => return None,
    };
    let text = STANDS_FOR.iter().fold(text, |text, (name, own)| {
        text.replace(&format!("${{{name}}}"), own)
    });
    let path = text.split(['?', '#']).next()?.strip_prefix("/app")?;
    Some(path.to_owned())
}

#[test]
fn every_page_is_seen_in_a_browser() {
    let places = text_of("tests/browser/places.js");
    let values = pattern(r#"(?m)^ +(?:"?[\w-]+"?: (.+)|(\w+)),$"#);
    let values = values
        .captures_iter(&places)
        .filter_map(|it| it.get(1).or(it.get(2)))
        .map(|it| it.as_str());
    let mut addresses: Vec<_> = values.filter_map(address).collect();
    assert!(addresses.len() > 40, "{addresses:?}");
    for (page, way) in BY_A_WAY {
        assert!(places.contains(&format!("ways.{way}(")), "{page}: {way}");
        addresses.push((*page).to_owned());
    }
    assert_all(&addresses, NOT_SEEN);
}
