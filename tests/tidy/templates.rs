//! What stands in templates: no words but those of the texts, so that every language has them; nothing red but a fault. And
//! every page is asked for with hostile texts, and seen in a browser.

use super::sources::root;
use regex::Regex;
use std::fs;

/// Names that every language has.
const NAMES: &[&str] = &[
    "client_id",
    "client_secret",
    "openapi.json",
    "API",
    "Fieldstone",
    "Id",
    "KiB",
    "OpenAPI",
    "Python",
    "Rust",
    "TypeScript",
    "curl",
    "gzip",
    "zstd",
    "UK=GB",
];

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

/// Each template, by name and text.
fn templates() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join("runtime/server/templates")).expect("templates");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let read = paths.map(|path| {
        let text = fs::read_to_string(&path).expect("a text");
        let name = path.file_name().unwrap_or_default();
        (name.to_string_lossy().into_owned(), text)
    });
    read.collect()
}

/// The words of a template's own, that people read or hear.
fn own_words(template: &str) -> Vec<String> {
    let code = pattern(r"(?s)\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}");
    let markup = code.replace_all(template, " ");
    let heard = pattern(r#"\s(?:aria-label|placeholder|title|alt)="([^"]*)""#);
    let heard = heard.captures_iter(&markup).map(|it| it[1].to_owned());
    let mut said = heard.collect::<Vec<_>>().join(" ");
    said.push(' ');
    // what a program is told is the same everywhere
    let shown =
        pattern(r"(?s)<(code|pre)\b.*?</(code|pre)>|<[^>]*>|&\w+;").replace_all(&markup, " ");
    said.push_str(&shown);
    for name in NAMES {
        said = pattern(&format!(r"\b{}\b", regex::escape(name)))
            .replace_all(&said, " ")
            .into_owned();
    }
    let words = pattern(r"\p{L}{2,}");
    words
        .find_iter(&said)
        .map(|it| it.as_str().to_owned())
        .collect()
}

#[test]
fn templates_have_no_words_that_another_language_lacks() {
    let found = templates()
        .into_iter()
        .map(|(name, text)| (name, own_words(&text)));
    let found: Vec<_> = found.filter(|(_, words)| !words.is_empty()).collect();
    assert!(found.is_empty(), "these belong into the texts: {found:#?}");
    for (template, words) in [
        (
            "<p>{{ page.t.saved }}</p><code>curl -H x</code>",
            &[] as &[&str],
        ),
        ("<p class=\"muted\">API · {{ a }} KiB</p>", &[]),
        ("<p>Saved, {{ name }}</p>", &["Saved"]),
        ("<a aria-label=\"Close it\">×</a>", &["Close", "it"]),
    ] {
        assert_eq!(own_words(template), words, "{template}");
    }
}

/// What selectors of red things name: a value with a fault, how many there are, and how many there were.
const FAULTY: &[&str] = &[
    ".fault",
    ".bad",
    ".why",
    ".share .part",
    ".trend",
    "\"tried\"",
];

/// Selectors that paint red what is no fault.
fn red_selectors(sheet: &str) -> Vec<String> {
    let sheet = pattern(r"(?s)/\*.*?\*/").replace_all(sheet, "");
    let rules = pattern(r"([^{}]+)\{([^{}]*)\}");
    let red = rules
        .captures_iter(&sheet)
        .filter(|rule| rule[2].contains("var(--fault"));
    let selectors = red.flat_map(|rule| {
        let selectors = rule[1].split(',').map(|it| it.trim().to_owned());
        selectors.collect::<Vec<_>>()
    });
    let is_of_none = |it: &String| !FAULTY.iter().any(|name| it.contains(name));
    selectors.filter(is_of_none).collect()
}

/// What of a template is red and says nothing of a fault, by itself or in what stands in it.
fn red_tags(name: &str, template: &str) -> Vec<String> {
    let tag = r"<(?:\{%.*?%\}|\{\{.*?\}\}|[^<>{]|\{[^%{])*>";
    let red = pattern(r#"class="[^"]*\b(?:bad|why)\b|<rect class="part""#);
    let tags = pattern(tag);
    let tags = tags
        .find_iter(template)
        .filter(|tag| red.is_match(tag.as_str()));
    let told = tags.map(|tag| {
        let behind: String = template[tag.end()..].chars().take(60).collect();
        format!("{}{behind}", tag.as_str())
    });
    // of a dataset's tile, the part of the records that is faulty
    let says_so = |text: &String| text.contains("fault") || text.contains("tile.share");
    let strange = told.filter(|text| !name.contains("fault") && !says_so(text));
    strange.map(|text| format!("{name}: {text}")).collect()
}

#[test]
fn red_stands_for_a_fault_and_for_nothing_else() {
    let sheet = text_of("runtime/server/assets/app.css");
    let strange = red_selectors(&sheet);
    assert!(strange.is_empty(), "red, and no fault: {strange:#?}");
    let all = templates();
    let strange = all.iter().flat_map(|(name, text)| red_tags(name, text));
    let strange: Vec<_> = strange.collect();
    assert!(strange.is_empty(), "red, and no fault: {strange:#?}");
    // what is looked for is found
    assert!(sheet.contains("var(--fault)") && all.len() > 50);
    let sheet = ".danger, .why { color: var(--fault); } .muted { color: var(--soft); }";
    assert_eq!(red_selectors(sheet), [".danger"]);
    assert_eq!(
        red_tags("x", r#"<p class="bad">{{ page.t.deleted }}</p>"#).len(),
        1
    );
}

/// Pages that are no markup, or that one comes to by a form: `tests/admin/pages_hostile.rs` has those.
const ELSEWHERE: &[&str] = &[
    "/assets/{name}",
    "/language/{code}",
    "/jobs/{id}",
    "/jobs/{id}/export",
    "/jobs/{id}/rejects",
    "/schemas/{id}/as/{kind}",
    "/audit/export",
];

/// The addresses of all pages.
fn pages() -> Vec<String> {
    let folder = "runtime/server/src/admin/pages";
    let sources =
        ["table.rs", "table/of_access.rs"].map(|name| text_of(&format!("{folder}/{name}")));
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
    pages.collect()
}

/// Whether an address, as a story has it, is that of a page.
fn is_of(address: &str, page: &str) -> bool {
    let (own, parts) = (address.split('/'), page.split('/'));
    own.clone().count() == parts.clone().count()
        && own
            .zip(parts)
            .all(|(own, part)| part.starts_with('{') || own == part)
}

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
    let pages = pages();
    assert!(pages.len() > 50, "{pages:?}");
    let left = pages.iter().filter(|page| {
        !ELSEWHERE.contains(&page.as_str()) && !addresses.iter().any(|own| is_of(own, page))
    });
    let left: Vec<_> = left.collect();
    assert!(left.is_empty(), "nobody looks at {left:?}");
    let gone = ELSEWHERE
        .iter()
        .filter(|own| !pages.iter().any(|page| page == *own));
    let gone: Vec<_> = gone.collect();
    assert!(gone.is_empty(), "there are no such pages: {gone:?}");
}

/// Last words of addresses whose pages come with another one, are named by a dataset's or a record's own link, or are files.
const NOT_NAMED: &[&str] = &[
    "",
    "as",
    "assets",
    "cells",
    "completions",
    "datasets",
    "figures",
    "language",
    "records",
    "rejects",
];

#[test]
fn every_page_is_seen_in_a_browser() {
    let places = ["places.js", "ways.js"].map(|name| text_of(&format!("tests/browser/{name}")));
    let places = places.concat();
    let pages = pages();
    let words = pages.iter().filter_map(|page| {
        let mut words = page.rsplit('/');
        words.find(|word| !word.starts_with('{'))
    });
    let words = words.filter(|word| !NOT_NAMED.contains(word));
    let left = words.filter(|word| !pattern(&format!(r"\b{word}\b")).is_match(&places));
    let left: Vec<_> = left.collect();
    assert!(left.is_empty(), "no browser looks at {left:?}");
}
