//! The section `messages/refusals/`: how each operation of the OpenAPI document refuses bad requests.

use crate::{http, normal, session::Session};
use serde_json::Value;
use std::{fmt::Write, fs, io, path::Path};

/// Operations that would end the session by which the others are asked.
const LEFT_OUT: [&str; 2] = ["signOut", "endOtherSessions"];
/// An id that nothing has.
const UNKNOWN: &str = "019b7635-dc80-781a-9a51-000000000000";
/// What is sent as a body, with its kind.
const BODIES: [(&str, &str); 6] = [
    ("application/json", ""),
    ("application/json", "{"),
    ("application/json", "[]"),
    ("application/json", "{}"),
    ("application/json", "{\"unknown\": 1}"),
    ("text/plain", "{}"),
];

pub(crate) fn freeze(out: &Path, session: &Session, document: &Value) -> io::Result<()> {
    fs::create_dir_all(out)?;
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let Some(name) = operation["operationId"].as_str() else {
                continue;
            };
            if !LEFT_OUT.contains(&name) {
                let text = operation_text(session, &method.to_uppercase(), path, operation)?;
                fs::write(out.join(format!("{name}.txt")), text)?;
            }
        }
    }
    Ok(())
}

fn operation_text(
    session: &Session,
    method: &str,
    path: &str,
    operation: &Value,
) -> io::Result<String> {
    let mut text = format!("{method} {path}\n");
    let mut note = |title: &str, answer: &http::Answer| {
        let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        // what succeeds is no refusal
        let body = match answer.status {
            400.. => format!("{body:#}\n"),
            _ => String::new(),
        };
        writeln!(
            text,
            "\n{title}: {}\n{}",
            answer.status,
            normal::placeholders(&body)
        )
        .expect("a text takes everything");
    };
    let [mut unknown, mut wrong] = [String::new(), String::new()];
    for word in path.split('/').skip(1) {
        let is_id = word.starts_with('{');
        for (own, id) in [(&mut unknown, UNKNOWN), (&mut wrong, "no-id")] {
            own.push('/');
            own.push_str(if is_id { id } else { word });
        }
    }
    let json = "application/json";
    note(
        "no credential",
        &http::send(
            &session.host,
            method,
            &unknown,
            &[("Content-Type", json)],
            b"{}",
        )?,
    );
    if unknown != wrong {
        note("no such id", &session.send(method, &unknown, json, b"{}")?);
        note("not an id", &session.send(method, &wrong, json, b"{}")?);
    }
    if method == "GET" {
        for query in ["pageSize=x", "pageSize=0", "pageKey=x", "unknown=1"] {
            note(
                query,
                &session.send(method, &format!("{unknown}?{query}"), json, b"")?,
            );
        }
    }
    if operation.get("requestBody").is_some() {
        for (kind, body) in BODIES {
            note(
                &format!("{kind} `{body}`"),
                &session.send(method, &unknown, kind, body.as_bytes())?,
            );
        }
    }
    Ok(text)
}
