//! A museum with one dataset, whose records have files: what stories of uploaded files begin with.

use crate::support::{Response, Server};
use serde_json::{Value, json};
use std::path::Path;

const EXHIBIT: &str = r#"{"schemaId": "exhibit", "name": "Exhibit", "businessAreaId": "x", "businessAreaName": "Museum", "createdDate": "2026-01-01T00:00:00.000Z", "fields": [
    {"fieldId": "no", "name": "No", "active": true, "dataType": "string", "isPrimaryKey": true, "isSortKey": false, "isRequired": true},
    {"fieldId": "paper", "name": "Paper", "active": true, "dataType": "document", "isPrimaryKey": false, "isSortKey": false, "isRequired": false}]}"#;

const MUSEUM: &str = r"
tenants:
  - name: Acme
    areas:
      - name: Museum
        schemas:
          - document: exhibit.json
            datasets:
              - name: Hall
    apiKeys:
      - name: keeper
        roles: [ACCOUNT ADMINISTRATOR]
        areas: {Museum: [view, add, edit, delete]}
";

/// Makes the museum by a manifest in a folder, which `json` has applied; the key of its keeper.
pub(crate) fn museum(folder: &Path, json: impl FnOnce(&[&str]) -> Value) -> String {
    std::fs::write(folder.join("exhibit.json"), EXHIBIT).expect("written");
    std::fs::write(folder.join("museum.yaml"), MUSEUM).expect("written");
    let applied = json(&["apply", "museum.yaml"]);
    let mut steps = applied["steps"].as_array().expect("steps").iter();
    let key = steps.find_map(|step| step["secret"].as_str());
    key.expect("a key").to_owned()
}

/// The path of the one dataset that a key of the museum sees.
pub(crate) fn hall(server: &Server, key: &str) -> String {
    let mut path = "/v1/my/businessareas".to_owned();
    for (name, under) in [
        ("businessAreaId", "schemas"),
        ("schemaId", "datasets"),
        ("dataSetId", ""),
    ] {
        let listed = server.get(key, &path).json();
        let id = listed["items"][0][name].as_str().expect("an id").to_owned();
        path = format!("{}/{id}/{under}", path.replace("/my/", "/"));
    }
    path.trim_end_matches('/').to_owned()
}

/// Uploads a file of this text.
pub(crate) fn send_paper(server: &Server, keeper: &str, text: &str) -> Response {
    let hall = hall(server, keeper);
    server.send_file(keeper, &format!("{hall}/files"), text)
}

/// Uploads a file of this text; its id.
pub(crate) fn paper(server: &Server, keeper: &str, text: &str) -> String {
    let sent = send_paper(server, keeper, text);
    assert_eq!(sent.status, 201, "{}", sent.body);
    sent.json()["fileId"].as_str().expect("an id").to_owned()
}

/// Puts in a record with an uploaded file of this text; the file's id.
pub(crate) fn add_paper(server: &Server, keeper: &str, text: &str) -> String {
    let id = paper(server, keeper, text);
    let hall = hall(server, keeper);
    let body = json!({"No": "1", "Paper": id}).to_string();
    let made = server.send("POST", keeper, &format!("{hall}/dataobjects"), &body);
    assert_eq!(made.status, 201, "{}", made.body);
    id
}

/// The path of a fresh link to that file.
pub(crate) fn link(server: &Server, keeper: &str) -> String {
    let hall = hall(server, keeper);
    let record = server.get(keeper, &format!("{hall}/dataobjects/by-pk/1"));
    let link = record.json()["Paper"].as_str().expect("a link").to_owned();
    let (_, path) = link.split_once(server.address()).expect("its own address");
    path.to_owned()
}
