//! Holds every answer that a suite hears against the OpenAPI document: the operation is known, its status
//! is listed, headers and content type are those promised, and the body fits its shape, without anything
//! more. It knows no operation by itself: all it knows, the document says.

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use tests::answers::{self, Record};

/// What this suite received.
static RECORD: LazyLock<Mutex<Record>> =
    LazyLock::new(|| Mutex::new(Record::begin(env!("CARGO_CRATE_NAME"))));

/// One request and its answer.
pub(crate) struct Exchange<'a> {
    pub(crate) method: &'a str,
    /// As it was sent, with its query.
    pub(crate) target: &'a str,
    /// What was sent as JSON, if the answer says it was understood.
    pub(crate) sent: Option<&'a [u8]>,
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: &'a [(String, String)],
    pub(crate) body: &'a [u8],
}

/// The document, with every object closed that does not say it is open.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document = serde_json::from_str(runtime::openapi::document()).expect("a JSON document");
    close(&mut document);
    document
});

/// Closes objects that list their properties: an answer with more than the document tells is not described.
fn close(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            let is_shape =
                members.get("type") == Some(&json!("object")) && members.contains_key("properties");
            if is_shape && !members.contains_key("additionalProperties") {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Fails with everything about the exchange that the document does not say.
#[track_caller]
pub(crate) fn hold(exchange: &Exchange<'_>) {
    let undocumented = undocumented(exchange);
    assert!(
        undocumented.is_empty(),
        "not as the OpenAPI document says: {} {} -> {} {}\n{}",
        exchange.method,
        exchange.target,
        exchange.status,
        String::from_utf8_lossy(exchange.body),
        undocumented.join("\n")
    );
    if let Some((method, template, _)) = operation_of(exchange) {
        record(method, template, exchange.status, exchange.body);
    }
}

/// Records an answer that is as the document says.
fn record(method: &str, template: &str, status: u16, body: &[u8]) {
    let coded = match status {
        400..500 => serde_json::from_slice(body).unwrap_or_default(),
        _ => Value::Null,
    };
    let code = coded["code"].as_str();
    let answer = answers::line(method, template, &status.to_string(), code);
    // suites on a database hear the same, and leave tests out
    if !cfg!(on_a_database) {
        let mut record = RECORD.lock().unwrap_or_else(PoisonError::into_inner);
        record.note(answer);
    }
}

/// The operation that a request asks for: its method, the template of its path, and what is told of it.
fn operation_of(exchange: &Exchange<'_>) -> Option<(&'static str, &'static str, &'static Value)> {
    let method = match exchange.method {
        "HEAD" => "GET",
        method => method,
    };
    let template = template_of(path_of(exchange.target))?;
    let described = DOCUMENT["paths"][template].as_object()?;
    let (method, operation) = described.get_key_value(&method.to_lowercase())?;
    Some((method, template, operation))
}

/// What the document does not say about an exchange.
pub(crate) fn undocumented(exchange: &Exchange<'_>) -> Vec<String> {
    let status = &exchange.status;
    let without_body = exchange.method == "HEAD";
    let Some((method, template, operation)) = operation_of(exchange) else {
        return beside(exchange, without_body);
    };
    let Some(answer) = operation["responses"].get(status.to_string()) else {
        return vec![format!("{method} {template} has no {status}")];
    };
    let mut wrong = misasked(exchange, operation);
    for header in keys(&answer["headers"]) {
        if header_of(exchange, header).is_none() {
            wrong.push(format!("the header {header} is missing"));
        }
    }
    let place = format!("/paths/{}/{method}", escaped(template));
    let is_empty = exchange.body.is_empty();
    let may_be_empty = answer["x-may-be-empty"] == json!(true);
    match (answer.get("content"), header_of(exchange, "content-type")) {
        (None, None) if is_empty => {}
        // what has mostly no body is said to have none, and may tell of a path that leads nowhere
        (None, Some("application/json")) if may_be_empty => {
            if !without_body {
                wrong.extend(misfits("/components/schemas/PlainError", exchange.body));
            }
        }
        (None, _) => wrong.push("it has a body or a content type".to_owned()),
        (Some(content), Some(_)) if content.get("*/*").is_some() => {}
        (Some(content), Some("text/html; charset=utf-8")) if content.get("text/html").is_some() => {
        }
        (Some(content), Some(kind)) if content.get(kind).is_some() => {
            if !(without_body && is_empty) {
                let shape = format!("responses/{status}/content/{}/schema", escaped(kind));
                let place = format!("{place}/{shape}");
                let wrong_texts = |text| misfits(&place, text);
                if kind == "text/event-stream" {
                    let lines = exchange.body.split(|byte| *byte == b'\n');
                    let data = lines.filter_map(|line| line.strip_prefix(b"data: "));
                    let shape = "/components/schemas/ChangeOfRecord";
                    wrong.extend(data.flat_map(|text| misfits(shape, text)));
                } else if kind == "application/x-ndjson" {
                    let lines = exchange.body.split(|byte| *byte == b'\n');
                    wrong.extend(lines.filter(|line| !line.is_empty()).flat_map(wrong_texts));
                } else {
                    wrong.extend(wrong_texts(exchange.body));
                }
                wrong.extend(unlisted_code(answer, exchange.body));
            }
        }
        (Some(_), kind) => wrong.push(format!("the content type {kind:?} is not listed")),
    }
    if let (200..300, Some(sent)) = (*status, exchange.sent) {
        let place = format!("{place}/requestBody/content/application~1json/schema");
        if DOCUMENT.pointer(&place).is_some() {
            wrong.extend(
                misfits(&place, sent)
                    .into_iter()
                    .map(|text| format!("what was sent: {text}")),
            );
        }
    }
    wrong
}

/// The code of an answer, where it is not one of those that the operation has for this status.
fn unlisted_code(answer: &Value, body: &[u8]) -> Option<String> {
    let listed = answer["x-codes"].as_array()?;
    let body: Value = serde_json::from_slice(body).ok()?;
    let code = body.get("code")?;
    (!listed.contains(code)).then(|| format!("the code {code} is not listed"))
}

/// What was answered with a yes though the document asks for more, and what a link of the service has that
/// the document does not tell.
fn misasked(exchange: &Exchange<'_>, operation: &Value) -> Vec<String> {
    if !(200..300).contains(&exchange.status) {
        return Vec::new();
    }
    let query = exchange
        .target
        .split_once('?')
        .map_or("", |(_, query)| query);
    let sent = query.split('&').filter(|part| !part.is_empty());
    let sent: Vec<_> = sent
        .map(|part| part.split('=').next().unwrap_or(part))
        .collect();
    let all = operation["parameters"].as_array().into_iter().flatten();
    let own: Vec<_> = all.filter(|parameter| parameter["in"] == "query").collect();
    let is_sent = |parameter: &&&Value| sent.iter().any(|name| parameter["name"] == **name);
    let unasked = own
        .iter()
        .filter(|parameter| parameter["required"] == true && !is_sent(parameter));
    let mut wrong: Vec<_> = unasked
        .map(|parameter| format!("{} was not sent", parameter["name"]))
        .collect();
    if operation["security"] == json!([]) {
        let told = |name: &&&str| own.iter().any(|parameter| parameter["name"] == ***name);
        let more = sent.iter().filter(|name| !told(name));
        wrong.extend(more.map(|name| format!("the parameter {name} is not listed")));
    }
    wrong
}

/// Beside the operations there are only these answers: no credential, no such address, no such method.
fn beside(exchange: &Exchange<'_>, without_body: bool) -> Vec<String> {
    // a server refuses what is no HTTP before anyone has seen it
    let is_no_request = exchange.status == 400 && exchange.body.is_empty();
    let is_preflight = exchange.method == "OPTIONS"
        && header_of(exchange, "access-control-allow-methods").is_some();
    let no_body = without_body && exchange.body.is_empty();
    match exchange.status {
        204 if is_preflight => Vec::new(),
        400 if is_no_request => Vec::new(),
        401 | 403 | 404 | 405 | 429 if no_body => Vec::new(),
        401 | 403 | 404 | 405 | 429 => misfits("/components/schemas/PlainError", exchange.body),
        _ => vec!["no operation of the document".to_owned()],
    }
}

/// The path of a request line's target, which may be a whole address.
fn path_of(target: &str) -> &str {
    let path = match target.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => target,
    };
    path.split('?').next().unwrap_or(path)
}

/// The template of a path: the one with the fewest parameters.
fn template_of(path: &str) -> Option<&'static str> {
    let sent: Vec<&str> = path.split('/').collect();
    let fits = |template: &&Template| {
        template.steps.len() == sent.len()
            && template.steps.iter().zip(&sent).all(|(own, sent)| {
                // a blank key is a key that no record has
                own == sent || own.starts_with('{') && (template.is_by_key || !sent.is_empty())
            })
    };
    let all = TEMPLATES.iter().filter(fits);
    let first = all.min_by_key(|template| template.parameters);
    first.map(|template| template.path)
}

fn keys(object: &Value) -> impl Iterator<Item = &str> {
    object
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .map(String::as_str)
}

fn header_of<'e>(exchange: &Exchange<'e>, name: &str) -> Option<&'e str> {
    let mut all = exchange.headers.iter();
    let found = all.find(|(own, _)| own.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.as_str())
}

fn escaped(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

/// What in a JSON text does not fit the shape at a place of the document.
fn misfits(place: &str, text: &[u8]) -> Vec<String> {
    let value: Value = match serde_json::from_slice(&without_exponents(text)) {
        Ok(value) => value,
        Err(error) => return vec![format!("no JSON: {error}")],
    };
    let validator = validator(place);
    let errors = validator.iter_errors(&value);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// The text with its numbers' exponents left out: a number may be greater than a double, and is one still.
fn without_exponents(text: &[u8]) -> Vec<u8> {
    let (mut out, mut in_string, mut is_escaped, mut in_exponent) =
        (Vec::new(), false, false, false);
    for &byte in text {
        if in_string {
            in_string = is_escaped || byte != b'"';
            is_escaped = byte == b'\\' && !is_escaped;
        } else {
            in_string = byte == b'"';
            let begins = matches!(byte, b'e' | b'E') && out.last().is_some_and(u8::is_ascii_digit);
            in_exponent = begins || in_exponent && matches!(byte, b'+' | b'-' | b'0'..=b'9');
            if in_exponent {
                continue;
            }
        }
        out.push(byte);
    }
    out
}

/// Each is made once: a suite has thousands of answers.
fn validator(place: &str) -> Arc<Validator> {
    static MADE: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(validator) = made.get(place) {
        return validator.clone();
    }
    let validator = Arc::new(validator_of(&DOCUMENT, place));
    made.insert(place.to_owned(), validator.clone());
    validator
}

/// A validator for the shape at a place of a document.
pub(crate) fn validator_of(document: &Value, place: &str) -> Validator {
    let shape = document.pointer(place);
    validator_for(
        document,
        shape.unwrap_or_else(|| panic!("nothing at {place}")),
    )
}

/// A validator for a shape, which may refer to those of a document.
pub(crate) fn validator_for(document: &Value, shape: &Value) -> Validator {
    let mut own = shape.clone();
    if let Value::Object(members) = &mut own {
        let components = json!({ "schemas": referred(document, shape) });
        members.insert("components".to_owned(), components);
    }
    jsonschema::draft202012::new(&own).unwrap_or_else(|error| panic!("{shape}: {error}"))
}

/// The shapes that one refers to, and those that these do: all others of a document would only be read, each time.
fn referred(document: &Value, shape: &Value) -> Map<String, Value> {
    let (mut found, mut rest) = (Map::new(), vec![shape]);
    while let Some(value) = rest.pop() {
        match value {
            Value::Object(members) => {
                let reference = members.get("$ref").and_then(Value::as_str);
                let name = reference.and_then(|it| it.strip_prefix("#/components/schemas/"));
                if let Some(name) = name.filter(|name| !found.contains_key(*name)) {
                    let shape = &document["components"]["schemas"][name];
                    found.insert(name.to_owned(), shape.clone());
                    rest.push(shape);
                }
                rest.extend(members.values());
            }
            Value::Array(items) => rest.extend(items),
            _ => {}
        }
    }
    found
}

/// A path of the document.
struct Template {
    path: &'static str,
    steps: Vec<&'static str>,
    parameters: usize,
    is_by_key: bool,
}

/// The paths of the document; each is taken apart once, since a suite has thousands of answers.
static TEMPLATES: LazyLock<Vec<Template>> = LazyLock::new(|| {
    let template = |path: &'static str| Template {
        path,
        steps: path.split('/').collect(),
        parameters: path.matches('{').count(),
        is_by_key: path.ends_with("{pkValue}"),
    };
    keys(&DOCUMENT["paths"]).map(template).collect()
});
