//! What plays the browser in stories of pages, and a dataset that it looks at.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::requests::Answer;
use serde_json::{Value, json};

/// What tries to become markup wherever a text is shown.
pub(crate) const HOSTILE: &str =
    r#"<script>alert(1)</script>"'><img src=x onerror=alert(2)>{{7*7}}&amp;"#;

/// What a browser keeps for forms without a session, as its cookie has it.
const FORM_SECRET: &str = "0123456789abcdef0123456789abcdef";
/// Where forms without a session go.
const WITHOUT_SESSION: [&str; 3] = ["/app/sign-in", "/app/invitation", "/app/setup"];

/// A browser in which ada has signed in.
pub(crate) struct Browser<'s> {
    pub(crate) server: &'s AdminServer,
    pub(crate) cookie: String,
    /// What it likes to read.
    pub(crate) language: &'static str,
}

impl<'s> Browser<'s> {
    /// The same, which likes German best.
    pub(crate) fn in_german(&self) -> Self {
        Browser {
            server: self.server,
            cookie: self.cookie.clone(),
            language: "de",
        }
    }

    /// The first one has the session that the server began with: passwords take their time.
    pub(crate) fn signed_in(server: &'s AdminServer) -> Self {
        let first = server
            .first_session
            .lock()
            .expect("no test panics here")
            .take();
        match first {
            Some(secret) => Browser {
                server,
                cookie: format!("fieldstone_session={secret}"),
                language: "en",
            },
            None => Browser::entered(server, "ada", PASSWORD),
        }
    }

    /// A browser in which a new user with a role and these grants has signed in.
    pub(crate) fn of_user(server: &'s AdminServer, name: &str, role: &str, grants: &Value) -> Self {
        let body = json!({"username": name, "fullName": name, "email": "one@example.org", "password": PASSWORD,
            "mustChangePassword": false, "roles": [role], "grants": grants});
        server.make("/users", body);
        Browser::entered(server, name, PASSWORD)
    }

    /// One in which someone signed in with this password.
    #[track_caller]
    pub(crate) fn entered(server: &'s AdminServer, username: &str, password: &str) -> Self {
        let body = form(&[("username", username), ("password", password)]);
        Browser::of(server, &posted(server, "/app/sign-in", "", &body).is(303))
    }

    /// That in which someone signed in with this answer.
    pub(crate) fn of(server: &'s AdminServer, entered: &Answer) -> Self {
        let cookie = entered.header("set-cookie").expect("a cookie");
        Browser {
            server,
            cookie: cookie.split(';').next().expect("a pair").to_owned(),
            language: "en",
        }
    }

    /// The same with one cookie more.
    pub(crate) fn with_cookie(&self, set: &str) -> Self {
        let pair = set.split(';').next().expect("a pair");
        Browser {
            cookie: format!("{}; {pair}", self.cookie),
            ..*self
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.server
            .send(&format!("GET {path}"), &self.headers(), None)
    }

    pub(crate) fn part(&self, path: &str) -> Answer {
        let mut headers = self.headers();
        headers.push(("HX-Request", "true"));
        self.server.send(&format!("GET {path}"), &headers, None)
    }

    /// Sends a form with a file, with the token that stands in a page.
    pub(crate) fn send_file(
        &self,
        page: &Answer,
        path: &str,
        fields: &[(&str, &str)],
        file: (&str, &str),
    ) -> Answer {
        let token = between(&page.body, r#"name="token" value=""#);
        let disposition = "--b0und\r\nContent-Disposition: form-data; name=";
        let texts = [("token", &*token)];
        let texts = texts
            .iter()
            .chain(fields)
            .map(|(name, value)| format!("{disposition}\"{name}\"\r\n\r\n{value}\r\n"));
        let texts: Vec<_> = texts.collect();
        let (name, content) = file;
        let file = format!(
            "{disposition}\"file\"; filename=\"{name}\"\r\nContent-Type: text/csv\r\n\r\n{content}\r\n--b0und--\r\n"
        );
        let body = texts.concat() + &file;
        let mut headers = self.headers();
        headers.push(("Content-Type", "multipart/form-data; boundary=b0und"));
        self.server
            .send(&format!("POST {path}"), &headers, Some(&body))
    }

    /// Opens the form by which a file is imported into a dataset, and sends it.
    pub(crate) fn import(
        &self,
        dataset: &str,
        fields: &[(&str, &str)],
        file: (&str, &str),
    ) -> Answer {
        let path = format!("/app/datasets/{dataset}/import");
        let page = self.get(&path).is(200);
        self.send_file(&page, &path, fields, file)
    }

    /// The page of a job once it has ended.
    pub(crate) fn ended_job(&self, sent: Answer) -> Answer {
        let sent = sent.is(303);
        let place = sent.header("location").expect("a job").to_owned();
        for _ in 0..2_400 {
            let page = self.get(&place).is(200);
            if !page.body.contains("hx-trigger=\"every") {
                return page;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{place} did not end");
    }

    /// The file of an export that a form asks for.
    #[track_caller]
    pub(crate) fn exported(&self, sent: Answer) -> Answer {
        let done = self.ended_job(sent);
        let (before, _) = done.body.split_once("/export\"").expect("a download");
        let address = before.rsplit('"').next().expect("an address");
        self.get(&format!("{address}/export")).is(200)
    }

    /// Deletes the record whose page has this address, by that page.
    #[track_caller]
    pub(crate) fn delete(&self, record: &str) {
        let page = self.get(record).is(200);
        self.send(&page, &format!("{record}/delete"), &[]).is(303);
    }

    /// Sends a form with the token that stands in a page.
    pub(crate) fn send(&self, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.send_with(page, path, fields, &[])
    }

    /// The same, by the script of a page that takes the answer as a part of it.
    pub(crate) fn send_part(&self, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.send_with(page, path, fields, &[("HX-Request", "true")])
    }

    fn send_with(
        &self,
        page: &Answer,
        path: &str,
        fields: &[(&str, &str)],
        more: &[(&str, &str)],
    ) -> Answer {
        let token = between(&page.body, r#"name="token" value=""#);
        let mut fields = fields.to_vec();
        fields.push(("token", &token));
        let mut headers = self.headers();
        headers.push(("Content-Type", "application/x-www-form-urlencoded"));
        headers.extend(more);
        self.server
            .send(&format!("POST {path}"), &headers, Some(&form(&fields)))
    }

    fn headers(&self) -> Vec<(&str, &str)> {
        vec![("Cookie", &self.cookie), ("Accept-Language", self.language)]
    }
}

/// Sends a form; one without a session as a page of ours has it.
pub(crate) fn posted(server: &AdminServer, path: &str, cookie: &str, body: &str) -> Answer {
    let (cookie, body) = if WITHOUT_SESSION.contains(&path) {
        (with_form_cookie(cookie), with_form_token(body))
    } else {
        (cookie.to_owned(), body.to_owned())
    };
    let headers = [
        ("Cookie", &*cookie),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    server.send(&format!("POST {path}"), &headers, Some(&body))
}

/// The cookies of a browser that was shown a form without a session.
pub(crate) fn with_form_cookie(cookie: &str) -> String {
    // behind HTTPS it has another name
    let own = format!("fieldstone_form={FORM_SECRET}; __Host-fieldstone_form={FORM_SECRET}");
    if cookie.is_empty() {
        own
    } else {
        format!("{cookie}; {own}")
    }
}

/// A form without a session with what proves that this browser was shown it, behind a mask that changes nothing.
pub(crate) fn with_form_token(body: &str) -> String {
    let bytes = FORM_SECRET.bytes().map(|byte| format!("{byte:02x}"));
    let mask = "00".repeat(FORM_SECRET.len());
    format!("{body}&token={mask}{}", bytes.collect::<String>())
}

/// The body of a form: every byte is encoded.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let mut body = String::new();
    for (name, value) in fields {
        if !body.is_empty() {
            body.push('&');
        }
        encode(&mut body, name);
        body.push('=');
        encode(&mut body, value);
    }
    body
}

fn encode(body: &mut String, text: &str) {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    for byte in text.bytes() {
        let digits = [byte >> 4, byte & 0xf].map(|digit| char::from(DIGITS[usize::from(digit)]));
        body.push('%');
        body.extend(digits);
    }
}

/// The text behind a beginning, up to the next quote.
#[track_caller]
pub(crate) fn between(text: &str, beginning: &str) -> String {
    let (_, rest) = text.split_once(beginning).expect(beginning);
    rest.split('"').next().expect("a quote").to_owned()
}

/// The link of a page of a list to the `next` or `prev` one.
pub(crate) fn link_of(body: &str, which: &str) -> Option<String> {
    let (before, _) = body.split_once(&format!(r#"" rel="{which}">"#))?;
    let link = before.rsplit(r#"href=""#).next()?;
    Some(link.replace("&#38;", "&").replace("&amp;", "&"))
}

/// The secret that a page shows in whole.
#[track_caller]
pub(crate) fn shown_once(body: &str) -> String {
    let (_, rest) = body.split_once(r#"<code class="secret">"#).expect(body);
    rest.split('<').next().expect("its end").to_owned()
}

pub(crate) fn field(id: &str, name: &str, data_type: &str, is_key: bool) -> Value {
    json!({"fieldId": id, "name": name, "active": true, "dataType": data_type, "isPrimaryKey": is_key,
        "isSortKey": is_key, "isRequired": is_key})
}

/// A dataset of cities and two records, of which the second has a fault.
pub(crate) fn cities(server: &AdminServer) -> (String, [String; 2]) {
    let document = json!({"name": "City", "fields": [
        field("f-code", "Code", "string", true),
        field("f-people", "People", "integer", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(server, &area);
    let ids = written(
        server,
        &dataset,
        &[
            json!({"Code": "A1", "People": 12}),
            json!({"Code": "A2", "People": "many"}),
        ],
    );
    (dataset, ids.try_into().expect("two records"))
}

/// Lets ada do everything with the records of an area, which none may who has no grant for it.
pub(crate) fn give_ada(server: &AdminServer, area: &str) {
    give_ada_all(server, "Ada", &everything_in(&[area]));
}

/// The same, and this is what she is called.
pub(crate) fn give_ada_called(server: &AdminServer, area: &str, name: &str) {
    give_ada_all(server, name, &everything_in(&[area]));
}

/// The right to do everything with the records of these areas.
pub(crate) fn everything_in(areas: &[&str]) -> Value {
    let verbs = ["view", "add", "edit", "delete"];
    let grants = areas
        .iter()
        .map(|area| json!({"area": area, "verbs": verbs}));
    Value::Array(grants.collect())
}

/// Lets ada, who is called so, do with records what these grants say, and nothing else.
pub(crate) fn give_ada_all(server: &AdminServer, name: &str, grants: &Value) {
    let shown = server.get(&format!("/users/{}", server.ada));
    let body = json!({"username": "ada", "fullName": name, "email": "ada@example.org", "active": true,
        "roles": shown["roles"], "grants": grants});
    let line = format!("PUT /users/{}", server.ada);
    server.root(&line, Some(body)).is(200);
}

/// Writes records, and gives their ids.
pub(crate) fn written(server: &AdminServer, dataset: &str, records: &[Value]) -> Vec<String> {
    let lines: Vec<_> = records
        .iter()
        .map(|it| json!({"create": it}).to_string())
        .collect();
    let answer = server.send(
        &format!("POST /admin/api/v1/datasets/{dataset}/records/bulk"),
        &[
            ("Authorization", &server.root),
            ("Content-Type", "application/x-ndjson"),
            ("Accept", "application/x-ndjson"),
        ],
        Some(&lines.join("\n")),
    );
    let answer = answer.is(200);
    let verdicts = answer.body.lines().filter(|line| !line.is_empty());
    let id = |line: &str| {
        let verdict: Value = serde_json::from_str(line).expect(line);
        verdict["_dataObjectId"].as_str().expect(line).to_owned()
    };
    verdicts.map(id).collect()
}
