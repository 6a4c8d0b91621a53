//! The editor of schemas as stories use it: what its forms hold, and how they are sent.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between};
use crate::requests::Answer;

/// What a hidden input of a page holds, as it was before it was written into the page.
#[track_caller]
pub(crate) fn held(page: &Answer, name: &str) -> String {
    let text = between(&page.body, &format!(r#"name="{name}" value=""#));
    let pairs = [
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#38;", "&"),
    ];
    pairs
        .iter()
        .fold(text, |text, (coded, plain)| text.replace(coded, plain))
}

/// The schema of the dataset of cities, and its area.
pub(crate) fn places(server: &AdminServer, dataset: &str) -> [String; 2] {
    let catalog = server.service.store().catalog();
    let dataset = &catalog.datasets[dataset];
    [dataset.area.clone(), dataset.schema.clone()]
}

/// Sends the form of the editor as a page holds it, with this beside it.
pub(crate) fn edited(
    browser: &Browser<'_>,
    page: &Answer,
    area: &str,
    beside: &[(&str, &str)],
) -> Answer {
    let (document, schema) = (held(page, "document"), held(page, "schema"));
    let mut fields = vec![("document", &*document), ("schema", &*schema)];
    let (mut version, mut open) = (String::new(), String::new());
    for (name, text) in [("version", &mut version), ("open", &mut open)] {
        if page.body.contains(&format!(r#"name="{name}" value=""#)) {
            *text = held(page, name);
        }
    }
    fields.extend([("version", &*version), ("open", &*open)]);
    fields.extend(beside);
    browser.send(page, &format!("/app/areas/{area}/schemas/editor"), &fields)
}

/// The editor of a schema whose second field is open.
pub(crate) fn opened(browser: &Browser<'_>, schema: &str, area: &str) -> Answer {
    let page = browser.get(&format!("/app/schemas/{schema}/edit")).is(200);
    edited(browser, &page, area, &[("do", "open-1")]).is(200)
}

/// The review of a change by which the second field of a schema is at most 5.
pub(crate) fn bounded(browser: &Browser<'_>, schema: &str, area: &str) -> Answer {
    let page = opened(browser, schema, area);
    let beside = [("shown", "max"), ("f-max", "5"), ("do", "review")];
    edited(browser, &page, area, &beside).is(200)
}

/// Publishes what a review holds.
pub(crate) fn published(browser: &Browser<'_>, review: &Answer, schema: &str) -> Answer {
    let [document, version] = ["document", "version"].map(|name| held(review, name));
    let fields = [
        ("document", &*document),
        ("version", &*version),
        ("state", "published"),
    ];
    browser.send(review, &format!("/app/schemas/{schema}"), &fields)
}
