//! A dataset of people, whose values are personal in part, and a key that may do everything there but see those.

use crate::admin_server::{AdminServer, RESOURCES_BUT_PERSONAL};
use crate::browser::{field, give_ada, written};
use crate::jobs::{ended, server};
use crate::requests::Answer;
use crate::rights::role;
use serde_json::{Value, json};

/// What stands in personal fields, and nowhere else.
pub(crate) const MARKER: &str = "zyxwomarker";

/// A dataset with personal values, and two who may do everything there but see them.
pub(crate) struct People {
    pub(crate) server: AdminServer,
    pub(crate) area: String,
    pub(crate) schema: String,
    pub(crate) dataset: String,
    pub(crate) ids: Vec<String>,
    /// A key of one.
    pub(crate) key: String,
    pub(crate) role: String,
}

fn personal(id: &str, name: &str, data_type: &str) -> Value {
    let mut personal = field(id, name, data_type, false);
    personal["isPII"] = true.into();
    personal
}

/// A key that may do everything in an area but see personal values, and its role.
pub(crate) fn key_that_sees_none(server: &AdminServer, area: &str) -> (String, String) {
    let all: &[&str] = &["view", "add", "edit", "delete"];
    let allowed = RESOURCES_BUT_PERSONAL.map(|it| (it, all));
    let role = role(server, "All but people", &allowed);
    let (_, key) = server.key("all but people", &[&role], &[area]);
    (role, key)
}

impl People {
    pub(crate) fn start() -> Self {
        let server = server();
        let mut mail = personal("f-mail", "Mail", "email");
        mail["isSortKey"] = true.into();
        let mut colour = personal("f-colour", "Colour", "picklist");
        colour["picklistType"] = "static".into();
        colour["staticPicklist"] = json!([{"code": "blue"}, {"code": "red"}]);
        let document = json!({"name": "Person", "fields": [
            field("f-code", "Code", "string", true),
            field("f-town", "Town", "string", false),
            mail,
            personal("f-age", "Age", "integer"),
            colour,
        ]});
        let [area, schema, dataset] = server.places(&document);
        give_ada(&server, &area);
        let mut ids = written(
            &server,
            &dataset,
            &[
                json!({"Code": "P1", "Town": "Ulm", "Mail": format!("{MARKER}@example.org"), "Age": 41, "Colour": format!("{MARKER} colour")}),
                json!({"Code": "P2", "Town": "Ulm", "Mail": format!("not {MARKER}"), "Age": 42, "Colour": "red"}),
                json!({"Code": "P3", "Town": "Bonn", "Mail": "plain@example.org"}),
            ],
        );
        let id = ids[0].clone();
        let change = |version: i64, mail: &str| {
            let body = json!({"_version": version, "Mail": mail});
            let path = format!(
                "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/{id}"
            );
            let headers = [("Authorization", &*server.root)];
            server.send(&format!("PUT {path}"), &headers, Some(&body.to_string()))
        };
        change(0, &format!("second.{MARKER}@example.org")).is(204);
        // one that is deleted
        let gone = ids.pop().expect("a record");
        let more = written(
            &server,
            &dataset,
            &[json!({"Code": "P4", "Mail": format!("{MARKER}.gone@example.org")})],
        );
        let path = format!(
            "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/{}",
            more[0]
        );
        server
            .send(
                &format!("DELETE {path}"),
                &[("Authorization", &*server.root)],
                None,
            )
            .is(204);
        ids.push(gone);
        let (role, key) = key_that_sees_none(&server, &area);
        People {
            server,
            area,
            schema,
            dataset,
            ids,
            key,
            role,
        }
    }

    pub(crate) fn ask(&self, line: &str, body: Option<Value>) -> Answer {
        self.server.ask(&self.key, line, body)
    }

    /// Asks as a job of the one who does not see them, to its end.
    pub(crate) fn job(&self, line: &str, options: Value) -> Value {
        let made = self.ask(line, Some(options)).is(201);
        ended(&self.server, &made.text("jobId"))
    }

    pub(crate) fn mails(&self) -> Vec<Value> {
        let path = format!(
            "GET /v1/businessareas/{}/schemas/{}/datasets/{}/dataobjects",
            self.area, self.schema, self.dataset
        );
        let page = self
            .server
            .send(&path, &[("Authorization", &*self.server.root)], None);
        let page = page.is(200).json();
        let items = page["items"].as_array().expect("items").iter();
        items.map(|item| item["Mail"].clone()).collect()
    }
}

#[track_caller]
pub(crate) fn hides(answer: &Answer, what: &str) {
    let told = answer.body.contains(MARKER) || answer.head.contains(MARKER);
    assert!(!told, "{what}: {}", answer.body);
}
