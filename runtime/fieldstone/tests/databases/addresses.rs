//! All that a server can be asked for: each operation that its description names, and each page and form that the pages of the
//! application lead to.

use crate::support::{Response, Server, read_response};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpStream;

/// Where pages are.
const PAGES: &str = "/app/";
/// Where pages are drawn from, which asks for nothing that is in a store.
const ASSETS: &str = "/app/assets/";
/// Pages that others are found from.
const FIRST: [&str; 2] = [PAGES, "/app/sign-in"];

/// A request.
pub(crate) struct Asked {
    method: String,
    path: String,
    /// The line of its head that has a credential.
    credential: String,
    /// A body, with what it is.
    content: Option<[&'static str; 2]>,
}

impl Asked {
    /// Its method and its path.
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Whether people ask, and no program.
    pub(crate) fn is_of_people(&self) -> bool {
        self.path.starts_with(PAGES)
    }

    pub(crate) fn send(&self, server: &Server) -> Response {
        let content = self.content.map_or_else(String::new, |[kind, body]| {
            let length = body.len();
            format!("Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}")
        });
        let end = if content.is_empty() { "\r\n" } else { "" };
        let request = format!(
            "{} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{}\r\n{content}{end}",
            self.line(),
            server.address(),
            self.credential
        );
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        read_response(&mut stream)
    }
}

/// Each operation of both interfaces, by a key; where it is about something, about what is not there.
pub(crate) fn operations(server: &Server, key: &str) -> Vec<Asked> {
    let document = server.get("", "/openapi.json").json();
    let mut all = Vec::new();
    for (path, described) in document["paths"].as_object().expect("paths") {
        for (method, operation) in described.as_object().expect("operations") {
            let body = operation.get("requestBody");
            all.push(Asked {
                method: method.to_uppercase(),
                path: filled(path),
                credential: format!("Authorization: {key}"),
                content: body.map(|_| ["application/json", "{}"]),
            });
        }
    }
    all
}

/// A path with something in place of its parameters.
fn filled(template: &str) -> String {
    let mut parts = template.split('{');
    let mut path = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part.split_once('}').expect("the end of a name");
        path.push('x');
        path.push_str(rest);
    }
    path
}

/// The pages that whoever is signed in comes to, each once, and the forms on them, which nobody sends.
pub(crate) fn pages(server: &Server, session: &str) -> Vec<Asked> {
    let asked = |method: &str, path: String| Asked {
        method: method.to_owned(),
        path,
        credential: format!("Cookie: fieldstone_session={session}"),
        content: (method == "POST").then_some(["application/x-www-form-urlencoded", "x=1"]),
    };
    let mut all: Vec<_> = FIRST
        .map(|path| asked("GET", path.to_owned()))
        .into_iter()
        .collect();
    let mut known = BTreeSet::new();
    let mut at = 0;
    while let Some(next) = all.get(at) {
        at += 1;
        if next.method != "GET" {
            continue;
        }
        let answer = next.send(server);
        let line = next.line();
        assert!(answer.status < 500, "{line}: {}", answer.head);
        for (method, path) in led_to(&answer.body) {
            let place = path.split('?').next().unwrap_or_default();
            if known.insert((method, place.to_owned())) {
                all.push(asked(method, path));
            }
        }
    }
    all
}

/// What a page leads to: by links, by parts that it loads, and by forms.
fn led_to(page: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for tag in page.split('<').filter_map(|part| part.split('>').next()) {
        let is_post = attribute(tag, "method").is_some_and(|method| method == "post");
        let of_form = if is_post { "POST" } else { "GET" };
        for (name, method) in [
            ("href", "GET"),
            ("hx-get", "GET"),
            ("data-completions", "GET"),
            ("hx-post", "POST"),
            ("action", of_form),
        ] {
            let Some(path) = attribute(tag, name) else {
                continue;
            };
            let path = path.split('#').next().unwrap_or_default();
            if path.starts_with(PAGES) && !path.starts_with(ASSETS) {
                found.push((method, path.to_owned()));
            }
        }
    }
    found
}

/// The value of an attribute, if a tag has it.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let value = rest.split('"').next()?;
    Some(value.replace("&#38;", "&").replace("&amp;", "&"))
}
