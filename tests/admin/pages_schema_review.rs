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
