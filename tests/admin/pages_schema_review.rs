//! What a change of a schema means, before it is saved: what is offered there, and the job that counts it in a dataset.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, form, give_ada, written};
use crate::personal_dataset::{MARKER, hides, key_that_sees_none};
use crate::requests::Answer;
use crate::schema_editor::{bounded, edited, held, places};
use serde_json::json;

#[test]
fn what_is_published_already_is_not_offered_to_be_published() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let reviewed = || {
        let page = browser.get(&format!("/app/schemas/{schema}/edit")).is(200);
        edited(&browser, &page, &area, &[("do", "review")]).is(200)
    };
    // a draft can be published as it is, and is saved already
    let draft = reviewed();
    assert!(draft.body.contains("No differences."), "{}", draft.body);
    assert!(
        draft
            .body
            .contains(r#"class="primary" name="state" value="published""#)
    );
    assert!(!draft.body.contains("Save as a draft") && !draft.body.contains("judgeSchema"));
    let (document, version) = (held(&draft, "document"), held(&draft, "version"));
    let fields = [
        ("document", &*document),
        ("version", &*version),
        ("state", "published"),
    ];
    let own = format!("/app/schemas/{schema}");
    browser.send(&draft, &own, &fields).is(303);
    let published = reviewed();
    let told = "there is nothing to publish";
    assert!(published.body.contains(told), "{}", published.body);
    assert!(!published.body.contains(r#"class="primary""#));
}

#[test]
fn what_a_change_makes_faulty_is_counted_in_a_whole_dataset_by_a_job_that_writes_nothing() {
    let server = crate::jobs::server();
    let (dataset, ids) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let review = bounded(&browser, &schema, &area);
    let document = held(&review, "document");
    let path = format!("/app/datasets/{dataset}/effects");
    let sent = browser.send(&review, &path, &[("document", &document)]);
    let ended = browser.ended_job(sent);
    for told in [
        "<h1>Check against a draft</h1>",
        "Checked</dt><dd>2<",
        "Faulty before the change</dt><dd>1<",
        "Faulty after the change</dt><dd>2<",
        "Europe",
    ] {
        assert!(ended.body.contains(told), "{told}: {}", ended.body);
    }
    // by field and rule, with the records that get it; and nothing of changes, since it makes none
    let (_, table) = ended.body.split_once("<h2>Faults</h2>").expect("a table");
    let (table, _) = table.split_once("</table>").expect("its end");
    let record = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let link = format!(r#"<a href="{record}">A1</a>"#);
    for told in [
        r#"<th scope="row" role="rowheader">People</th>"#,
        r#"<td class="num bad" data-label="Records that get this fault" role="cell">1</td>"#,
        r#" role="cell">0</td>"#,
        &*link,
    ] {
        assert!(table.contains(told), "{told}: {table}");
    }
    assert!(!ended.body.contains("Changed</dt>"), "{}", ended.body);
    browser.get(&record).is(200);
    // there is nothing to be taken back, and nothing is another than before
    assert!(!ended.body.contains("undoJob"), "{}", ended.body);
    let list = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    assert!(list.body.contains("<b>1</b> faulty"), "{}", list.body);
    let stored = server.get(&format!("/schemas/{schema}"));
    assert_eq!(stored["version"], json!(1));
    // who may not change the schema has none of it counted
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let eve = Browser::of_user(&server, "eve", &server.role("MEMBER"), &grants);
    let home = eve.get("/app/").is(200);
    eve.send(&home, &path, &[("document", &document)]).is(403);
}

#[test]
fn records_that_a_change_makes_faulty_are_told_by_their_keys_and_by_a_mask_where_these_are_personal()
 {
    let server = crate::jobs::server();
    let mut name = field("f-name", "Name", "string", true);
    name["isPII"] = true.into();
    let people = field("f-people", "People", "integer", false);
    let note = field("f-note", "Note", "string", false);
    let document = json!({"name": "Household", "fields": [name, people]});
    let [area, schema, dataset] = server.places(&document);
    give_ada(&server, &area);
    let key = format!("{MARKER} & sons");
    let records = [
        json!({"Name": key, "People": 12}),
        json!({"Name": "few", "People": 2}),
    ];
    let ids = written(&server, &dataset, &records);
    // one without any key, in a schema of its own
    let document =
        json!({"name": "Note", "fields": [note, field("f-size", "Size", "integer", false)]});
    let notes = server.make(
        &format!("/areas/{area}/schemas"),
        json!({"document": document}),
    );
    let notes = notes.text("schemaId");
    let made = server.make(
        &format!("/schemas/{notes}/datasets"),
        json!({"name": "Notes"}),
    );
    let noted = made.text("dataSetId");
    let bare = written(&server, &noted, &[json!({"Note": "a", "Size": 12})]).remove(0);

    let counted = |browser: &Browser<'_>, schema: &str| {
        let review = bounded(browser, schema, &area);
        let fields = [("document", held(&review, "document"))];
        let fields = fields.each_ref().map(|(name, value)| (*name, &**value));
        let path = format!("/app/schemas/{schema}/effects");
        let at_once = browser.send(&review, &path, &fields).is(200);
        let dataset = if schema == notes { &noted } else { &dataset };
        let path = format!("/app/datasets/{dataset}/effects");
        [
            at_once,
            browser.ended_job(browser.send(&review, &path, &fields)),
        ]
    };
    let ada = Browser::signed_in(&server);
    let (role, _) = key_that_sees_none(&server, &area);
    let all = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let eve = Browser::of_user(&server, "eve", &role, &all);
    let record = format!(r#"<a href="/app/datasets/{dataset}/records/{}">"#, ids[0]);
    let key = format!("{record}{MARKER} &#38; sons</a>");
    let mask = format!(
        r#"{record}<span class="masked" title="Personal data: to see it, you need the right to see personal data.">***<span class="sr"> Personal data:"#
    );
    for page in counted(&ada, &schema) {
        assert!(page.body.contains(&key), "{key}: {}", page.body);
    }
    let told = server.get("/audit?pageSize=50").to_string();
    assert!(told.contains("view_personal_data"), "{told}");
    for page in counted(&eve, &schema) {
        hides(&page, "samples");
        assert!(page.body.contains(&mask), "{mask}: {}", page.body);
    }
    let record =
        format!(r#"<a href="/app/datasets/{noted}/records/{bare}"><code>{bare}</code></a>"#);
    for page in counted(&ada, &notes) {
        assert!(page.body.contains(&record), "{record}: {}", page.body);
    }
}

#[test]
fn what_looks_like_a_mistake_is_told_where_a_schema_is_edited_and_published_and_stops_nobody() {
    let server = AdminServer::start();
    let mut place = field("f-place", "Place", "latlng", false);
    place["isSortKey"] = true.into();
    let code = field("f-code", "Code", "string", true);
    let [area, schema, _] = server.places(&json!({"name": "Harbour", "fields": [code, place]}));
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let own = format!("/app/schemas/{schema}");
    let edit = browser.get(&format!("{own}/edit")).is(200);
    let [token, document, version] = ["token", "document", "version"].map(|name| held(&edit, name));
    let body = form(&[
        ("token", &*token),
        ("schema", &*schema),
        ("document", &*document),
        ("version", &*version),
    ]);
    let headers = [
        ("Cookie", &*browser.cookie),
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("HX-Request", "true"),
    ];
    let line = format!("POST /app/areas/{area}/schemas/editor?part=told");
    let part = server.send(&line, &headers, Some(&body)).is(200);
    let review = edited(&browser, &edit, &area, &[("do", "review")]).is(200);
    let draft = browser.get(&own).is(200);
    for page in [&edit, &part, &review, &draft] {
        for told in ["<b>Warnings</b>", "have no order", "Place"] {
            assert!(page.body.contains(told), "{told}: {}", page.body);
        }
        let is_red = page.body.contains("class=\"why\"") || page.body.contains("bad\"");
        assert!(!is_red && !page.body.contains(">Problems<"));
    }
    let german = browser.in_german();
    let page = german.get(&format!("{own}/edit")).is(200);
    assert!(page.body.contains("haben keine Reihenfolge"));
    let fields = [
        ("document", &*document),
        ("version", &*version),
        ("state", "published"),
    ];
    german.send(&review, &own, &fields).is(303);
    let published = german.get(&own).is(200);
    assert!(!published.body.contains("haben keine Reihenfolge"));
}

#[test]
fn what_a_change_makes_faulty_is_said_to_be_counted_where_a_script_counts_it() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let review = bounded(&browser, &schema, &area);
    let counting = "The stored records are being checked";
    let (before, behind) = review.body.split_once(counting).expect("it is told");
    assert!(before.ends_with(r#"<p class="counting muted" hidden>"#));
    let told = "<p class=\"uncounted muted\">How many stored records";
    assert!(behind.contains(told), "{}", review.body);
    // nobody waits for what nothing counts
    assert!(!review.body.contains("aria-busy"), "{}", review.body);
}

#[test]
fn pages_of_a_schema_that_is_edited_are_there_for_who_goes_back_and_no_others() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/schemas/{schema}/edit")).is(200);
    let opened = edited(&browser, &page, &area, &[("do", "open-1")]).is(200);
    let beside = [("shown", "max"), ("f-max", "5"), ("do", "review")];
    let review = edited(&browser, &opened, &area, &beside).is(200);
    for page in [&page, &opened, &review] {
        assert_eq!(page.header("cache-control"), Some("private, no-cache"));
    }
    let plain = browser.get(&format!("/app/schemas/{schema}")).is(200);
    assert_eq!(plain.header("cache-control"), Some("no-store"));
}

#[test]
fn the_editor_goes_on_beside_what_was_pressed_and_says_what_leaving_it_would_lose() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let own = format!("/app/schemas/{schema}/edit");
    let page = browser.get(&own).is(200);
    let press = |page: &Answer, beside: &[(&str, &str)], place: &str| {
        let next = edited(&browser, page, &area, beside);
        let focused = next.body.matches(" autofocus").count();
        assert_eq!(focused, 1, "{beside:?}: {}", next.body);
        let (before, _) = next.body.split_once(" autofocus").expect("a focus");
        let tag = before.rsplit('<').next().expect("its tag");
        assert!(tag.contains(place), "{beside:?}, {place}: {tag}");
        next
    };
    let asked = r#"data-work="changed""#;
    assert!(!page.body.contains(" autofocus") && !page.body.contains(asked));
    let clean = press(&page, &[("do", "check")], r#"id="told""#).is(200);
    let opened = press(&clean, &[("do", "open-1")], r#"value="close""#).is(200);
    let closed = press(&opened, &[("do", "close")], r#"value="open-1""#).is(200);
    assert!(!closed.body.contains(asked), "{}", closed.body);
    let nameless = [("shown", "name"), ("f-name", ""), ("do", "check")];
    let faulty = press(&opened, &nameless, r#"id="f-name""#).is(200);
    assert!(faulty.body.contains(asked), "{}", faulty.body);
    let closed = press(&faulty, &[("do", "close")], r#"value="open-1""#).is(200);
    let link = r##"href="#field-1""##;
    press(&closed, &[("do", "check")], link).is(200);
    press(&closed, &[("do", "review")], link).is(400);
    let first = press(&closed, &[("do", "remove-1")], r#"value="open-0""#).is(200);
    press(&first, &[("do", "remove-0")], r#"value="add""#).is(200);
    let next = press(&page, &[("do", "remove-0")], r#"value="open-0""#).is(200);
    assert!(next.body.contains(asked), "{}", next.body);
}
