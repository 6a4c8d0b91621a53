//! How large a page is where there is much on it: a schema of very many fields, and a full list of records that are long and
//! faulty throughout, each fault with what would mend it. What a page of the demo takes, the tests in a browser measure.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, field, give_ada, written};
use crate::pages_schemas::edited;
use crate::requests::Answer;
use serde_json::{Value, json};
use std::io::Write as _;

/// What a page may have once it is compressed.
const BYTES_MAX: usize = 100_000;
const FIELDS: usize = 300;
/// Records of one page of a list.
const ROWS: usize = 50;
/// Words of a long text.
const WORDS: usize = 80;

/// As the server compresses, for who takes no more than gzip.
#[track_caller]
fn assert_small(page: &Answer, what: &str) {
    let level = flate2::Compression::fast();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), level);
    packer.write_all(page.body.as_bytes()).expect("memory");
    let bytes = packer.finish().expect("memory").len();
    println!("{what}: {bytes} bytes of {}", page.body.len());
    assert!(bytes <= BYTES_MAX, "{what}: {bytes} bytes");
}

/// A text that repeats little, and is the same each time.
fn text(number: usize) -> String {
    let syllables = [
        "ka", "lo", "mi", "ner", "pos", "qua", "rist", "sel", "tur", "vem", "wod", "zan",
    ];
    let mut state = u32::try_from(number).expect("a small number");
    let mut syllable = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        syllables[(state >> 16) as usize % syllables.len()]
    };
    let words = (0..WORDS).map(|_| [syllable(), syllable(), syllable()].concat());
    words.collect::<Vec<_>>().join(" ")
}

fn picklist(id: &str, name: &str) -> Value {
    let mut own = field(id, name, "picklist", false);
    own["picklistType"] = json!("static");
    own["staticPicklist"] = json!([{"code": "active"}, {"code": "closed"}, {"code": "waiting"}]);
    own
}

/// A schema whose fields are of several types, and whose names differ.
fn many_fields() -> Value {
    let others = (1..FIELDS).map(|number| {
        let (id, name) = (
            format!("f-{number}"),
            format!("Measure {number} of the morning"),
        );
        match number % 4 {
            0 => picklist(&id, &name),
            1 => field(&id, &name, "string", false),
            2 => field(&id, &name, "float", false),
            _ => field(&id, &name, "date", false),
        }
    });
    let fields: Vec<_> = [field("f-0", "Code", "string", true)]
        .into_iter()
        .chain(others)
        .collect();
    json!({"name": "Station", "fields": fields})
}

#[test]
fn the_pages_of_a_schema_of_very_many_fields_are_small() {
    let server = AdminServer::start();
    let document = many_fields();
    let [area, schema, dataset] = server.places(&document);
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    for path in [
        format!("/app/schemas/{schema}"),
        format!("/app/schemas/{schema}/edit"),
        format!("/app/schemas/{schema}/edit?field=7"),
        format!("/app/datasets/{dataset}"),
        format!("/app/datasets/{dataset}/new"),
        format!("/app/datasets/{dataset}/import"),
    ] {
        assert_small(&browser.get(&path).is(200), &path);
    }
    // each field is a difference of a new one
    let path = format!("/app/areas/{area}/schemas/new");
    let page = browser.get(&path).is(200);
    let document = document.to_string();
    let editor = browser
        .send(&page, &path, &[("document", &*document)])
        .is(200);
    assert_small(&editor, "the editor of a new one");
    let review = edited(&browser, &editor, &area, &[("do", "review")]).is(200);
    assert!(
        review.body.contains("createManagedSchema"),
        "{}",
        review.body
    );
    assert_small(&review, "its review");
}

#[test]
fn a_full_list_of_long_records_that_are_faulty_throughout_is_small() {
    let server = AdminServer::start();
    let mut fields = vec![
        field("f-0", "Code", "string", true),
        field("f-1", "Note", "string", false),
    ];
    fields.extend((2..7).map(|at| picklist(&format!("f-{at}"), &format!("State {at}"))));
    fields.extend((7..12).map(|at| field(&format!("f-{at}"), &format!("Day {at}"), "date", false)));
    let [area, _, dataset] = server.places(&json!({"name": "Visit", "fields": fields}));
    give_ada(&server, &area);
    let records = (0..ROWS).map(|row| {
        let mut record = json!({"Code": format!("V{row:04}"), "Note": text(row)});
        for at in 2..7 {
            let state = ["aktiv", " closed", "Waiting"][(row + at) % 3];
            record[format!("State {at}")] = json!(state);
        }
        for at in 7..12 {
            let day = format!("{}.{at}.19{}", 13 + row % 15, 50 + row % 50);
            record[format!("Day {at}")] = json!(day);
        }
        record
    });
    written(&server, &dataset, &records.collect::<Vec<_>>());
    let browser = Browser::signed_in(&server);
    for query in ["", "?q=is%3Afaulty"] {
        let path = format!("/app/datasets/{dataset}{query}");
        let page = browser.get(&path).is(200);
        let has = |text: &str| page.body.matches(text).count();
        assert_eq!(has("<tr data-record=\""), ROWS);
        let proposals = has("class=\"proposals\"");
        assert!(proposals >= ROWS * 8, "{proposals}");
        assert_small(&page, &path);
    }
}

#[test]
fn the_pages_of_a_domain_of_very_many_codes_are_small_also_where_someone_else_changed_it() {
    let server = AdminServer::start();
    let code = |number: usize| format!("C{number} = {}", &text(number)[..24]);
    let lines: Vec<_> = (0..3000).map(code).collect();
    let codes = lines.join("\n");
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/domains/new").is(200);
    let fields = [("name", "Languages"), ("codes", &*codes)];
    let made = browser.send(&page, "/app/domains", &fields).is(303);
    let path = made.header("location").expect("a place");
    let path = path.split('?').next().expect("a path").to_owned();
    let page = browser.get(&path).is(200);
    assert_small(&page, &path);
    let theirs = lines[1..].join("\n");
    let fields = |codes| [("name", "Languages"), ("codes", codes), ("version", "1")];
    browser.send(&page, &path, &fields(&*theirs)).is(303);
    let mine = format!("{codes}\nNEW = A new one");
    let stale = browser.send(&page, &path, &fields(&*mine)).is(409);
    assert_small(&stale, "what someone else changed");
    let first = format!("{}\nNEW = A new one</pre>", lines[0]);
    assert!(stale.body.contains(&first), "{first}");
    assert_eq!(
        stale.body.matches(&lines[1]).count(),
        1,
        "in what was typed"
    );
}
