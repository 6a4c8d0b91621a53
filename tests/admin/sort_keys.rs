//! Sort keys whose values have no order: they may be there, and whoever makes one or sorts by it is told.

use crate::jobs::{server, thing};
use serde_json::json;

#[test]
fn a_sort_key_without_an_order_is_warned_of_and_told_as_that_by_a_search() {
    let server = server();
    let mut document = thing();
    let fields = document["fields"].as_array_mut().expect("fields");
    for kind in ["latlng", "document", "image", "string"] {
        fields.push(json!({"name": format!("Own {kind}"), "dataType": kind, "isSortKey": true}));
    }
    let trial = json!({"document": document});
    let tried = server.root("POST /schemas/trials", Some(trial)).is(200);
    let tried = tried.json();
    let warnings = tried["warnings"].as_array().expect("warnings").iter();
    let paths: Vec<_> = warnings.filter_map(|it| it["path"].as_str()).collect();
    let expected = [3, 4, 5].map(|at| format!("$.fields[{at}].isSortKey"));
    assert_eq!(paths, expected, "{tried}");
    let message = tried["warnings"][0]["message"].as_str().expect("a text");
    assert!(message.contains("latlng have no order"), "{message}");
    // it is made all the same
    server.places(&document);
    let headers = [("Authorization", server.root.as_str())];
    let search = |sort: &str| {
        let line = format!("GET /v1/dataobjects/search?query=*&sort={sort}");
        server.send(&line, &headers, None)
    };
    search("Own%20string").is(200);
    for kind in ["latlng", "document", "image"] {
        let refused = search(&format!("Own%20{kind}")).is(400).text("message");
        assert!(refused.contains("values have no order"), "{refused}");
    }
    let refused = search("Own").is(400).text("message");
    assert!(refused.contains("in no schema"), "{refused}");
}
