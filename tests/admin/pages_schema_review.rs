//! What a change of a schema means, before it is saved: what is offered there, and the job that counts it in a dataset.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::pages_schemas::{edited, held, places};

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
    let page = browser.get(&format!("/app/schemas/{schema}/edit")).is(200);
    let page = edited(&browser, &page, &area, &[("do", "open-1")]).is(200);
    let beside = [("shown", "max"), ("f-max", "5"), ("do", "review")];
    let review = edited(&browser, &page, &area, &beside).is(200);
    let document = held(&review, "document");
    let path = format!("/app/datasets/{dataset}/effects");
    let sent = browser.send(&review, &path, &[("document", &document)]);
    let ended = browser.ended_job(sent);
    for told in [
        "<h1>Check against a draft</h1>",
        "Checked</dt><dd>2<",
        "Faulty before</dt><dd>1<",
        "Faulty after</dt><dd>2<",
        "Europe",
    ] {
        assert!(ended.body.contains(told), "{told}: {}", ended.body);
    }
    // by field and rule, with the records that get it; and nothing of changes, since it makes none
    let (_, table) = ended.body.split_once("<h2>Faults</h2>").expect("a table");
    let (table, _) = table.split_once("</table>").expect("its end");
    let record = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    for told in [
        r#"<th scope="row">People</th>"#,
        r#"<td class="num bad">1</td><td class="num">0</td>"#,
        &*record,
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
    assert_eq!(stored["version"], serde_json::json!(1));
    // who may not change the schema has none of it counted
    let grants = serde_json::json!([{"area": area, "verbs": ["view"]}]);
    let eve = Browser::of_user(&server, "eve", &server.role("MEMBER"), &grants);
    let home = eve.get("/app/").is(200);
    eve.send(&home, &path, &[("document", &document)]).is(403);
}
