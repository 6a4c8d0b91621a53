//! Records filtered by a field with a form that writes the query, without a script.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, give_ada, written};
use crate::personal_dataset::People;
use serde_json::json;

/// Where a form leads.
#[track_caller]
fn led(browser: &Browser<'_>, path: &str) -> String {
    let answer = browser.get(path).is(303);
    answer.header("location").expect("a place").to_owned()
}

#[test]
fn a_form_writes_what_is_asked_of_a_field_into_the_query() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&there).is(200);
    assert!(
        page.body
            .contains(r#"<option value="f-people">People</option>"#)
    );
    assert!(!page.body.contains(r#"name="is""#), "{}", page.body);
    let page = browser.get(&format!("{there}?by=f-people")).is(200);
    for offered in [
        r#"<option value="f-people" selected>People</option>"#,
        r#"<option value="above">"#,
        r#"<option value="none">"#,
        r#"name="value" value="" inputmode="decimal""#,
    ] {
        assert!(page.body.contains(offered), "{offered}: {}", page.body);
    }
    for (asked, query) in [
        ("by=f-people&is=above&value=5", "?q=People%3A%3E5"),
        ("by=f-people&is=none", "?q=People%3Anone"),
        ("by=f-people&is=faulty", "?q=fault%3APeople"),
        ("by=&is=faulty", "?q=is%3Afaulty"),
        ("by=&is=has&value=A1", "?q=A1"),
        (
            "q=People%3A%3E5&sort=-Code&columns=f-code&pageKey=x&by=f-code&is=has&value=A1",
            "?q=People%3A%3E5+Code%3AA1&sort=-Code&columns=f-code",
        ),
    ] {
        let place = led(&browser, &format!("{there}?{asked}"));
        assert_eq!(place, format!("{there}{query}"), "{asked}");
        let found = browser.get(&place).is(200);
        assert!(!found.body.contains(r#"role="alert""#), "{}", found.body);
    }
    let found = browser.get(&format!("{there}?q=People%3A%3E5")).is(200);
    assert!(found.body.contains(">A1</a>") && !found.body.contains(">A2</a>"));
}

#[test]
fn a_form_without_a_value_asks_for_one_and_takes_no_comparison_that_the_field_has_not() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{there}?by=f-people&is=above&value=+"));
    let page = page.is(200);
    assert!(page.body.contains("Fill in a value"), "{}", page.body);
    assert!(page.body.contains(r#"<option value="above" selected>"#));
    // a text has no order, and a field that is not there is none
    browser
        .get(&format!("{there}?by=f-code&is=above&value=A"))
        .is(200);
    let page = browser.get(&format!("{there}?by=f-none&is=has&value=A"));
    assert!(!page.is(200).body.contains(r#"name="is""#));
}

#[test]
fn codes_of_a_picklist_are_there_to_choose_among() {
    let server = AdminServer::start();
    let mut country = field("f-country", "Home Country", "picklist", false);
    country["picklistType"] = json!("static");
    country["staticPicklist"] = json!([
        {"code": "DE", "description": "Germany"}, {"code": "N/A"},
    ]);
    let code = field("f-code", "Code", "string", true);
    let [area, _, dataset] = server.places(&json!({"name": "Shop", "fields": [code, country]}));
    give_ada(&server, &area);
    let records = [
        json!({"Code": "S1", "Home Country": "DE"}),
        json!({"Code": "S2", "Home Country": "N/A"}),
    ];
    written(&server, &dataset, &records);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{there}?by=f-country")).is(200);
    for offered in [
        r#"<option value="DE">DE · Germany</option>"#,
        r#"<option value="N/A">N/A</option>"#,
    ] {
        assert!(page.body.contains(offered), "{offered}: {}", page.body);
    }
    let place = led(&browser, &format!("{there}?by=f-country&is=is&value=N%2FA"));
    assert_eq!(
        place,
        format!("{there}?q=%22Home+Country%22%3A%3D%22N%2FA%22")
    );
    let found = browser.get(&place).is(200);
    assert!(found.body.contains(">S2</a>") && !found.body.contains(">S1</a>"));
}

#[test]
fn of_a_field_whose_values_one_does_not_see_no_value_is_asked() {
    let people = People::start();
    let grants = json!([{"area": people.area, "verbs": ["view"]}]);
    let frank = Browser::of_user(&people.server, "frank", &people.role, &grants);
    let there = format!("/app/datasets/{}", people.dataset);
    let page = frank.get(&format!("{there}?by=f-colour")).is(200);
    for (offered, is_there) in [
        (r#"<option value="none">"#, true),
        (r#"<option value="faulty">"#, true),
        (r#"<option value="is">"#, false),
        (r#"<option value="blue">"#, false),
    ] {
        assert_eq!(page.body.contains(offered), is_there, "{offered}");
    }
    // the same where it is asked all the same
    frank
        .get(&format!("{there}?by=f-colour&is=is&value=blue"))
        .is(200);
    assert_eq!(
        led(&frank, &format!("{there}?by=f-colour&is=none")),
        format!("{there}?q=Colour%3Anone")
    );
}
