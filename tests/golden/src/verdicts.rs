//! The section `verdicts/`: the cases of `fixtures/conformance` sent to a server.
//!
//! The look-ups of cases are not set up: such cases get the answer of a server without these domains and files.

use crate::{
    http, normal,
    schemas::files,
    session::{Session, text},
};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, fmt::Write, fs, io, path::Path};

pub(crate) fn freeze(out: &Path, session: &Session, fixtures: &Path) -> io::Result<()> {
    let area = session.create("/areas", &json!({"name": "Conformance"}))?;
    let area = text(&area, "businessAreaId");
    let verbs = ["view", "add", "edit", "delete"];
    let key = json!({"name": "conformance", "roles": [session.role("MEMBER")?],
        "grants": [{"area": area, "verbs": verbs}]});
    let key = session.create("/api-keys", &key)?;
    let send = |method: &str, path: &str, body: &[u8]| {
        let headers = [
            ("Authorization", text(&key, "key")),
            ("Content-Type", "application/json"),
        ];
        http::send(&session.host, method, path, &headers, body)
    };
    for (name, file) in files(&fixtures.join("conformance"))? {
        let file: Value = serde_json::from_str(&file)?;
        let empty = Map::new();
        let mut datasets = BTreeMap::new();
        for (schema, document) in file["schemas"].as_object().unwrap_or(&empty) {
            let dataset = dataset(session, area, &format!("{name} {schema}"), document);
            datasets.insert(schema, dataset);
        }
        let mut verdicts = String::new();
        for case in file["cases"].as_array().into_iter().flatten() {
            let mut answers = String::new();
            match datasets.get(&case["schema"].as_str().unwrap_or_default().to_owned()) {
                Some(Ok(path)) => {
                    let answer = send("POST", path, &input(case))?;
                    writeln!(answers, "{} {}", answer.status, answer.text())
                        .expect("a text takes everything");
                    // the record makes room for the next case
                    if let Some(place) = answer.headers("location").next() {
                        let host = format!("http://{}", session.host);
                        let place = place.strip_prefix(&host).unwrap_or(place);
                        if let Some(change) = case["change"].as_str() {
                            for answer in [
                                send("PUT", place, change.as_bytes())?,
                                send("GET", place, b"")?,
                            ] {
                                writeln!(answers, "{} {}", answer.status, answer.text())
                                    .expect("a text takes everything");
                            }
                        }
                        send("DELETE", place, b"")?;
                    }
                }
                Some(Err(error)) => answers = format!("no schema: {error}\n"),
                None => answers += "no schema\n",
            }
            verdicts.extend([
                text(case, "name"),
                "
",
                &*normal::placeholders(&answers),
                "
",
            ]);
        }
        fs::write(out.join(format!("{name}.txt")), verdicts)?;
    }
    Ok(())
}

/// Creates a schema with a dataset; returns where its records are.
fn dataset(session: &Session, area: &str, name: &str, document: &Value) -> io::Result<String> {
    let mut document = document.clone();
    if let Some(members) = document.as_object_mut() {
        members.remove("schemaId");
        members.insert("name".to_owned(), name.into());
    }
    let body = json!({"document": document, "state": "published"});
    let schema = session.create(&format!("/areas/{area}/schemas"), &body)?;
    let schema = text(&schema, "schemaId");
    let dataset = session.create(
        &format!("/schemas/{schema}/datasets"),
        &json!({"name": name}),
    )?;
    let dataset = text(&dataset, "dataSetId");
    Ok(format!(
        "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects"
    ))
}

/// The body that a case creates a record with.
fn input(case: &Value) -> Vec<u8> {
    let hex = text(case, "input_hex");
    if hex.is_empty() {
        let stored = text(case, "stored");
        let body = if stored.is_empty() {
            text(case, "input")
        } else {
            stored
        };
        return body.as_bytes().to_vec();
    }
    (0..hex.len() / 2)
        .filter_map(|at| u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok())
        .collect()
}
