//! Each form of the pages, filled in with texts that would like to be markup: whatever answers it has them as nothing but text, be it
//! done, refused, or a look at a longer list.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, HOSTILE, field, give_ada, written};
use crate::hostile::is_text;
use crate::pages_by_right::{Line, Nouns, forms};
use crate::pages_hostile::{HOSTILE_FILE, quoted};
use crate::requests::Answer;
use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

/// Forms whose answer is the page of what was made, with a secret that is shown once.
const MADE: [&str; 4] = ["/clients", "/keys", "/users", "/webhooks"];

/// Forms that come back with what was typed where it lacks a name, or proves nothing.
const COME_BACK: [&str; 17] = [
    "/areas",
    "/areas/{id}",
    "/clients",
    "/clients/{id}",
    "/datasets/{id}/settings",
    "/domains",
    "/domains/{id}",
    "/keys",
    "/keys/{id}",
    "/profile/email",
    "/roles",
    "/roles/{id}",
    "/schemas/{id}/datasets",
    "/users",
    "/users/{id}",
    "/webhooks",
    "/webhooks/{id}",
];

/// What is filled in with what lacks or is none, so that a form is refused.
const LACKING: [(&str, &str); 6] = [
    ("name", ""),
    ("full-name", ""),
    ("username", ""),
    ("email", HOSTILE),
    ("url", HOSTILE),
    ("password", HOSTILE),
];

/// How a form is filled in.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Filled {
    /// So that it is done.
    Well,
    /// The same once more: a name is taken, or what it was made from is another by now.
    Again,
    /// So that it lacks what it can't do without.
    Lacking,
    /// With what is hostile wherever something may stand, also where it chooses among a few.
    Everywhere,
    /// The same, by a button that looks at more of a list.
    Looking,
}

impl Filled {
    const ALL: [Filled; 5] = [
        Filled::Well,
        Filled::Again,
        Filled::Lacking,
        Filled::Everywhere,
        Filled::Looking,
    ];
}

/// What a source calls its inputs.
fn add_names(folder: &Path, pattern: &Regex, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add_names(&path, pattern, names);
            continue;
        }
        let source = std::fs::read_to_string(path).expect("a source");
        let found = pattern.captures_iter(&source);
        names.extend(found.map(|it| it[1].to_owned()));
    }
}

/// The name of every input of the forms, as templates have it and as what is read of a form has it.
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let server = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/server"));
    let pattern = r#"(?:name="|Input::line\(\s*"|form\.(?:text|get|all)\(\s*")([a-z][a-z-]*)""#;
    let pattern = Regex::new(pattern).expect("a pattern");
    let mut names = BTreeSet::new();
    for folder in ["templates", "src/admin/pages"] {
        add_names(&server.join(folder), &pattern, &mut names);
    }
    assert!(names.len() > 60, "{names:?}");
    for kind in ["b", "c", "f", "m", "n", "o", "p", "s", "t", "v", "w"] {
        names.insert(format!("{kind}-f-people"));
    }
    for kind in ["at", "find", "of"] {
        let lists = ["areas", "datasets", "roles"];
        names.extend(lists.map(|list| format!("{kind}-{list}")));
    }
    // what `Browser` adds by itself
    names.retain(|name| !["token", "file"].contains(&&**name));
    names.into_iter().collect()
});

/// The fields of a form as it is filled in with what is called so.
fn fields(nouns: &Nouns, filled: Filled, name: &str, line: &Line) -> Vec<(String, String)> {
    if [Filled::Everywhere, Filled::Looking].contains(&filled) {
        let is_looking = filled == Filled::Looking;
        let all = NAMES.iter();
        let all = all.filter(|it| is_looking || !["look", "enter"].contains(&&***it));
        return all.map(|it| (it.clone(), HOSTILE.to_owned())).collect();
    }
    let mut document: Value = serde_json::from_str(&nouns.document).expect("a document");
    document["name"] = name.into();
    document["description"] = HOSTILE.into();
    document["fields"][1]["name"] = HOSTILE.into();
    let document = document.to_string();
    let texts = [
        ("name", name),
        ("full-name", name),
        ("username", name),
        ("description", HOSTILE),
        ("document", &*document),
        ("codes", HOSTILE),
        ("with", HOSTILE),
        ("value", HOSTILE),
        ("v-f-code", name),
        ("v-f-people", HOSTILE),
        ("password", PASSWORD),
    ];
    let lacking: &[(&str, &str)] = match filled {
        Filled::Lacking => &LACKING,
        _ => &[],
    };
    let cells = json!([[HOSTILE]]).to_string();
    let mut fields: Vec<(String, String)> = Vec::new();
    let own = nouns.fields().into_iter().chain(texts);
    for (name, value) in own.chain(lacking.iter().copied()) {
        // of nothing but records, a form that says no version is compared with none
        if name == "version" && !line.path.contains("{record}") {
            continue;
        }
        let value = if name == "cells" { &*cells } else { value };
        fields.retain(|(own, _)| own != name);
        fields.push((name.to_owned(), value.to_owned()));
    }
    fields
}

/// Asserts that nothing of what was sent is markup.
#[track_caller]
fn has_no_markup(told: &str, page: &Answer) {
    for markup in ["<script>alert", "<img", "onerror=alert(2)>"] {
        assert!(!page.body.contains(markup), "{told}: {}", page.body);
    }
    assert_ne!(page.status, 500, "{told}: {}", page.body);
}

/// The forms, those last after which others would find nothing.
fn in_order() -> Vec<Line> {
    let mut forms = forms();
    forms.sort_by_key(|line| line.path.ends_with("/delete"));
    forms
}

#[test]
fn what_answers_a_form_shows_hostile_texts_as_text_whether_it_was_done_or_refused() {
    let server = AdminServer::start();
    let nouns = Nouns::of(&server);
    let rows = format!("Code,People\n{0},{0}\n", quoted(HOSTILE));
    let file = (HOSTILE_FILE, &*rows);
    let mut browser = Browser::signed_in(&server);
    let [mut made, mut came_back] = [BTreeSet::new(), BTreeSet::new()];
    for (at, line) in in_order().iter().enumerate() {
        let name = format!("{HOSTILE}{at}");
        for filled in Filled::ALL {
            let told = format!("{} {filled:?}", line.path);
            // a small page
            let mut page = browser.get("/app/password");
            if page.status != 200 {
                // the form before it ended the session
                browser = Browser::signed_in(&server);
                page = browser.get("/app/password").is(200);
            }
            let fields = fields(&nouns, filled, &name, line);
            let fields: Vec<(&str, &str)> = fields
                .iter()
                .map(|(name, value)| (&**name, &**value))
                .collect();
            let answer = nouns.send_filled(&browser, &page, line, (&fields, file));
            has_no_markup(&told, &answer);
            if filled == Filled::Well && MADE.contains(&&*line.path) {
                assert_eq!(answer.status, 200, "{told}: {}", answer.body);
                assert!(answer.body.contains(r#"class="secret""#), "{told}");
                is_text(&answer);
                made.insert(line.path.clone());
            }
            if filled == Filled::Lacking && COME_BACK.contains(&&*line.path) {
                assert!(answer.status >= 400, "{told}: {}", answer.status);
                is_text(&answer);
                came_back.insert(line.path.clone());
            }
            if let Some(place) = answer.header("location") {
                has_no_markup(&told, &browser.get(place));
            }
        }
    }
    assert_eq!((made.len(), came_back.len()), (MADE.len(), COME_BACK.len()));
}

#[test]
fn what_a_change_of_a_domain_would_do_is_told_as_text() {
    let server = AdminServer::start();
    let codes = json!([{"code": HOSTILE, "description": HOSTILE}]);
    let domain = server.make("/domains", json!({"name": HOSTILE, "codes": codes}));
    let domain = domain.text("dataDomainId");
    let mut kind = field("f-kind", HOSTILE, "picklist", false);
    kind["picklistType"] = "dynamic".into();
    kind["dataDomainId"] = domain.as_str().into();
    let fields = [field("f-code", "Code", "string", true), kind];
    let [area, _, dataset] = server.places(&json!({"name": HOSTILE, "fields": fields}));
    give_ada(&server, &area);
    let record = json!({"Code": HOSTILE, HOSTILE: HOSTILE});
    written(&server, &dataset, &[record]);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/domains/{domain}")).is(200);
    let path = format!("/app/domains/{domain}/effects");
    let typed = [("name", HOSTILE), ("codes", "A = a")];
    let told = browser.send(&page, &path, &typed).is(200);
    is_text(&told);
    let (_, effects) = told.body.split_once(r#"id="effects""#).expect("effects");
    // the field that gets faults, and the record by its key
    let shown = effects.matches("script&#62;alert(1)").count();
    assert!(shown >= 2, "{shown}: {effects}");
    let stale = [&typed[..], &[("version", "9")]].concat();
    is_text(&browser.send(&page, &path, &stale).is(409));
}
