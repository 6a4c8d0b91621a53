//! How large a page is where there is much on it: a schema of very many fields, and a full list of records that are long and
//! faulty throughout, each fault with what would mend it. What a page of the demo takes, the tests in a browser measure.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, form, give_ada, written};
use crate::requests::Answer;
use crate::schema_editor::edited;
use serde_json::{Value, json};
use std::io::Write as _;

/// What a page may have once it is compressed.
const BYTES_MAX: usize = 100_000;
const FIELDS: usize = 300;
/// Records of one page of a list.
const ROWS: usize = 50;
/// Codes of a large list.
const CODES: usize = 3000;
/// Words of a long text.
const WORDS: usize = 80;

/// As the server compresses, for who takes no more than gzip.
#[track_caller]
pub(crate) fn assert_small(page: &Answer, what: &str) {
    let level = flate2::Compression::fast();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), level);
    packer.write_all(page.body.as_bytes()).expect("memory");
    let bytes = packer.finish().expect("memory").len();
    println!("{what}: {bytes} bytes of {}", page.body.len());
    assert!(bytes <= BYTES_MAX, "{what}: {bytes} bytes");
}

/// A text that repeats little, and is the same each time.
pub(crate) fn text(number: usize) -> String {
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
fn the_pages_of_a_schema_of_large_picklists_are_small() {
    let server = AdminServer::start();
    let large = |id: &str, name: &str, first: usize| {
        let codes = (first..first + CODES).map(
            |number| json!({"code": format!("C{number}"), "description": &text(number)[..24]}),
        );
        let mut own = picklist(id, name);
        own["staticPicklist"] = codes.collect();
        own
    };
    let fields = [
        field("f-0", "Code", "string", true),
        large("f-1", "Language", 0),
        large("f-2", "Trade", CODES),
    ];
    let [area, schema, _] = server.places(&json!({"name": "Worker", "fields": fields}));
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/schemas/{schema}");
    let draft = browser.get(&path).is(200);
    assert!(draft.body.contains(r#"name="state" value="published""#));
    assert_small(&draft, "the page of a draft");
    let fields = [("version", "1"), ("state", "published")];
    browser.send(&draft, &path, &fields).is(303);
    let published = browser.get(&path).is(200);
    assert!(!published.body.contains("value=\"published\">Publish"));
    assert_small(&published, "the page of one that is published");
}

#[test]
fn the_columns_of_a_tried_file_have_the_fields_to_choose_from_once() {
    let server = crate::jobs::server();
    let [area, _, dataset] = server.places(&many_fields());
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let others = (1..FIELDS).map(|number| format!(",Measure {number} of the morning"));
    let header = others.collect::<Vec<_>>().concat();
    let file = format!("Code{header}\nA{}\n", ",".repeat(FIELDS - 1));
    let behind = |tried: &Answer| {
        let again = between(&tried.body, r#"class="button primary" href=""#);
        browser.get(&again.replace("&#38;", "&")).is(200)
    };
    let fields = [("try", "true"), ("mode", "create")];
    let tried = browser.ended_job(browser.import(&dataset, &fields, ("Many.csv", &file)));
    let page = behind(&tried);
    let column = r#"name="column-1" value="Measure 1 of the morning" list="field-names""#;
    assert!(page.body.contains(column), "{}", page.body);
    assert_small(&page, "what a file was read as");
    assert!(page.body.len() < 2 * BYTES_MAX, "{} bytes", page.body.len());
    // nothing chosen leaves a column out, and a name that is typed is taken without what is around it
    let file_of = between(&page.body, r#"name="fileOf" value=""#);
    let fields = [
        ("try", "true"),
        ("mode", "create"),
        ("map", ""),
        ("column-1", ""),
        ("column-2", " Measure 1 of the morning "),
        ("fileOf", &*file_of),
    ];
    let path = format!("/app/datasets/{dataset}/import");
    let tried = browser.ended_job(browser.send_file(&page, &path, &fields, ("", "")));
    let page = behind(&tried);
    for column in [
        r#"name="column-1" value="" list="#,
        r#"name="column-2" value="Measure 1 of the morning" list="#,
    ] {
        assert!(page.body.contains(column), "{column}: {}", page.body);
    }
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
fn a_list_of_many_fields_that_are_faulty_throughout_is_small_and_has_few_columns() {
    /// Those that stand there anyway, and those that do because of their faults.
    const COLUMNS_MAX: usize = 24;
    let server = AdminServer::start();
    let name = |number: usize| format!("Measure {number} of the morning");
    let others = (1..FIELDS).map(|number| {
        let id = format!("f-{number}");
        match number % 3 {
            0 => picklist(&id, &name(number)),
            1 => field(&id, &name(number), "integer", false),
            _ => field(&id, &name(number), "date", false),
        }
    });
    let key = std::iter::once(field("f-0", "Code", "string", true));
    let fields: Vec<_> = key.chain(others).collect();
    let [area, _, dataset] = server.places(&json!({"name": "Station", "fields": fields}));
    give_ada(&server, &area);
    let records = (0..ROWS).map(|row| {
        let mut record = json!({"Code": format!("S{row:04}")});
        for number in 1..FIELDS {
            record[name(number)] = json!(&text(row * FIELDS + number)[..18]);
        }
        // one field has a fault less than all others
        record[name(FIELDS - 1)] = json!(if row == 0 { "2020-02-29" } else { "never" });
        record
    });
    for part in records.collect::<Vec<_>>().chunks(10) {
        written(&server, &dataset, part);
    }
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let columns = |page: &Answer| {
        let columns = between(&page.body, r#"data-columns=""#);
        let ids = columns.split_whitespace().map(str::to_owned);
        ids.collect::<Vec<_>>()
    };
    let last = format!("f-{}", FIELDS - 1);
    for query in ["", "?q=is%3Afaulty"] {
        let path = format!("{there}{query}");
        let page = browser.get(&path).is(200);
        assert_eq!(page.body.matches("<tr data-record=\"").count(), ROWS);
        assert_small(&page, &path);
        let shown = columns(&page);
        assert_eq!(shown.len(), COLUMNS_MAX, "{shown:?}");
        assert!(!shown.contains(&last), "{shown:?}");
        let more = format!(
            r##"<b>{}</b> more faulty fields on this page · <a href="#columns">"##,
            FIELDS - COLUMNS_MAX
        );
        assert!(page.body.contains(&more), "{more}");
        assert!(page.body.contains(r#"<form id="columns""#));
    }
    // who asks for the faults of a field sees it
    let query = form(&[("q", &format!("fault:\"{}\"", name(FIELDS - 1)))]);
    let page = browser.get(&format!("{there}?{query}")).is(200);
    assert_eq!(page.body.matches("<tr data-record=\"").count(), ROWS - 1);
    let shown = columns(&page);
    assert!(shown.contains(&last), "{shown:?}");
    assert_eq!(shown.len(), COLUMNS_MAX + 1, "{shown:?}");
}

#[test]
fn the_pages_of_a_domain_of_very_many_codes_are_small_also_where_someone_else_changed_it() {
    let server = AdminServer::start();
    let code = |number: usize| format!("C{number} = {}", &text(number)[..24]);
    let lines: Vec<_> = (0..CODES).map(code).collect();
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
    let fields = |codes| {
        let whole = [("codes-from", "0"), ("codes-whole", "true")];
        let own = [("name", "Languages"), ("codes", codes), ("version", "1")];
        [&own[..], &whole].concat()
    };
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
