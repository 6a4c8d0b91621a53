//! Nouns in which every text would like to be markup, and pages on which it is text.

use crate::admin_server::AdminServer;
use crate::browser::{HOSTILE, field, give_ada, written};
use crate::requests::Answer;
use serde_json::json;

/// An area, a schema, a dataset and a record in which every text is hostile, by id.
pub(crate) fn hostile_places(server: &AdminServer) -> [String; 4] {
    let mut key = field("f-1", HOSTILE, "string", true);
    key["classifiers"] = json!([{"tagId": HOSTILE, "tagName": format!("{HOSTILE}#tag")}]);
    let document = json!({"name": HOSTILE, "description": HOSTILE, "fields": [
        key,
        {"fieldId": "f-2", "name": "Choice", "active": true, "dataType": "picklist", "isPrimaryKey": false,
            "isSortKey": false, "isRequired": false, "picklistType": "static", "description": HOSTILE,
            "staticPicklist": [{"code": HOSTILE, "description": HOSTILE}]},
        field("f-3", "People", "integer", false),
    ]});
    let area = server.make("/areas", json!({"name": HOSTILE, "description": HOSTILE}));
    let area = area.text("businessAreaId");
    give_ada(server, &area);
    let schema = server.make(
        &format!("/areas/{area}/schemas"),
        json!({"document": document}),
    );
    let schema = schema.text("schemaId");
    let dataset = server.make(
        &format!("/schemas/{schema}/datasets"),
        json!({"name": HOSTILE, "description": HOSTILE}),
    );
    let dataset = dataset.text("dataSetId");
    let record = json!({HOSTILE: HOSTILE, "Choice": HOSTILE, "People": HOSTILE});
    let id = written(server, &dataset, &[record]).remove(0);
    [area, schema, dataset, id]
}

/// Asserts that a page shows what is hostile, and as nothing but text; what stands around its content, such as the visitor's
/// name, is not what it shows.
#[track_caller]
pub(crate) fn is_text(page: &Answer) {
    for markup in ["<script>alert", "<img", "onerror=alert(2)>"] {
        assert!(!page.body.contains(markup), "{markup}: {}", page.body);
    }
    let main = page.body.split_once("<main ");
    let content = main.map_or(&*page.body, |(_, content)| content);
    let is_there = content.contains("script&#62;alert(1)");
    assert!(is_there, "it is not there at all: {}", page.body);
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
}
