//! Manifests in YAML: codes and names that look like something else are texts, and what is none is told with its place.

use crate::support::{COMPANY, Server, fail, json, succeed, write_company};
use std::path::Path;
use tempfile::tempdir;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

const WORDS: &str = r"
tenants:
  - name: Acme
    domains:
      - name: Countries
        codes:
          - code: NO
          - {code: on, description: yes}
          - {code: 1.10, description: 007}
          - {code: 0x1F}
    areas:
      - name: NO
        schemas:
          - document:
              name: 1.10
              fields:
                - {name: on, dataType: string, isPrimaryKey: yes, description: 12}
                - name: y
                  dataType: picklist
                  picklistType: static
                  staticPicklist: [{code: NO, description: no}, {code: 1.10}, {code: 2020-01-01}]
                - {name: Country, dataType: picklist, picklistType: dynamic, dataDomainId: Countries}
                - {name: Born, dataType: date, min: 1900-01-01}
                - {name: Price, dataType: currency, min: 0.10, max: 99}
            datasets:
              - name: off
                records: [words.ndjson]
    roles:
      - name: NO
        permissions: {DATA OBJECTS: [view]}
    apiKeys:
      - {name: no, roles: [NO], areas: {NO: [view]}, expires: 2999-01-01}
";

#[test]
fn words_that_look_like_something_else_are_texts_where_texts_are_expected() {
    let folder = tempdir().expect("a folder");
    write(folder.path(), "words.yaml", WORDS);
    let records = r#"{"on": "a", "y": "NO", "Country": "NO", "Price": 0.1}
{"on": "b", "y": "1.10", "Country": "1.10", "Born": "1900-01-01"}
{"on": "c", "y": "2020-01-01", "Country": "on"}
{"on": "d", "y": "NO", "Country": "0x1F"}
"#;
    write(folder.path(), "words.ndjson", records);
    let report = json(folder.path(), &["apply", "words.yaml"]);
    assert_eq!(report["records"][0]["created"], 4, "{report}");
    let names = ["Acme", "Countries", "NO", "1.10", "off", "NO", "no"];
    let steps = report["steps"].as_array().expect("steps").iter();
    assert_eq!(
        steps.map(|step| step["name"].clone()).collect::<Vec<_>>(),
        names
    );
    let key = &json(folder.path(), &["key", "list"])[0];
    assert_eq!(key["expires"], "2999-01-01T00:00:00.000Z");
    let again = succeed(folder.path(), &["apply", "words.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
    // none of the records has a fault
    let server = Server::start(folder.path(), &[]);
    let step = |index: usize, name: &str| {
        let text = report["steps"][index][name].as_str();
        text.expect("a text").to_owned()
    };
    let path = format!(
        "/v1/businessareas/{}/schemas/{}/datasets/{}/dataobjects",
        step(2, "id"),
        step(3, "id"),
        step(4, "id")
    );
    let list = server.get(&step(6, "secret"), &path).json();
    let items = list["items"].as_array().expect("items");
    assert_eq!(items.len(), 4);
    for item in items {
        assert_eq!(item["_errors"], serde_json::json!([]), "{item}");
    }
}

#[test]
fn what_is_no_manifest_is_told_with_its_path_line_and_column() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let inline = |fields: &str| format!("document: {{name: City, fields: {fields}}}");
    let cases = [
        (
            "          - {code: DE, description: Germany}",
            "          - {code: [DE], description: Germany}",
            ["tenants[0].domains[0].codes[1].code", "line 9", "column"],
        ),
        (
            "        codes:\n          - {code: NL, description: Netherlands}\n          - {code: DE, description: Germany}",
            "        codes: none",
            [
                "tenants[0].domains[0].codes",
                "line 7",
                "expected a list of codes, or the `file`",
            ],
        ),
        (
            "document: city.json",
            "document: [city.json]",
            [
                "areas[0].schemas[0].document",
                "line 14",
                "expected the path of a schema document",
            ],
        ),
        (
            "document: city.json",
            &inline("[{name: {}, dataType: string}]"),
            ["document.fields[0].name", "line 14", "column"],
        ),
        (
            "records: [cities.ndjson]",
            "records: [{file: cities.ndjson, mode: merge}]",
            [
                "datasets[0].records[0].mode",
                "line 17",
                "expected one of seed, upsert, replace",
            ],
        ),
        (
            "records: [cities.ndjson]",
            "records: [5]",
            [
                "datasets[0].records[0]",
                "line 17",
                "expected the path of a record file",
            ],
        ),
        (
            "      - name: crm",
            "      - name: crm\n        expires: soon",
            [
                "apiKeys[0].expires",
                "line 33",
                "write a day such as 2027-01-01",
            ],
        ),
        (
            "areas: {Places: [view]}",
            "areas: {Places: [read]}",
            [
                "clients[0].areas.Places[0]",
                "line 39",
                "expected one of view",
            ],
        ),
    ];
    for (right, wrong, expected) in cases {
        let text = COMPANY.replacen(right, wrong, 1);
        assert_ne!(text, COMPANY, "{right}");
        write(folder.path(), "wrong.yaml", &text);
        let message = fail(folder.path(), &["apply", "wrong.yaml"]);
        for part in expected {
            assert!(message.contains(part), "{wrong}: `{part}` in {message}");
        }
    }
    write(
        folder.path(),
        "wrong.json",
        "{\"tenants\": [{\"name\": 5}]}",
    );
    let message = fail(folder.path(), &["apply", "wrong.json"]);
    for part in ["tenants[0].name", "line 1 column 23"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_manifest_that_says_nothing_is_refused_and_begins_no_store() {
    let folder = tempdir().expect("a folder");
    for (name, text) in [
        ("m.yaml", ""),
        ("m.yaml", "# tenants:\n"),
        ("m.yaml", "{}\n"),
        ("m.yaml", "tenants: []\n"),
        ("m.json", "{\"tenants\": []}"),
    ] {
        write(folder.path(), name, text);
        let told = fail(folder.path(), &["apply", name]);
        assert!(
            told.contains("it is to begin with `tenants:`"),
            "{text}: {told}"
        );
    }
    assert!(!folder.path().join("data").exists());
}
