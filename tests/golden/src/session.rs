//! The demo's administrator in the management interface.

use crate::http::{self, Answer};
use serde_json::{Value, json};
use std::io;

pub(crate) struct Session {
    pub(crate) host: String,
    cookies: String,
    token: String,
}

impl Session {
    pub(crate) fn sign_in(host: &str, password: &str) -> io::Result<Session> {
        let body = json!({"username": "admin", "password": password}).to_string();
        let headers = [("Content-Type", "application/json")];
        let path = "/admin/api/v1/sessions";
        let answer = http::send(host, "POST", path, &headers, body.as_bytes())?;
        let cookies: Vec<_> = answer.headers("set-cookie").collect();
        let cookies: Vec<_> = cookies
            .iter()
            .filter_map(|it| it.split(';').next())
            .collect();
        let told: Value = serde_json::from_slice(&answer.body)?;
        Ok(Session {
            host: host.to_owned(),
            cookies: cookies.join("; "),
            token: text(&told, "csrfToken").to_owned(),
        })
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: &[u8],
    ) -> io::Result<Answer> {
        let headers = [
            ("Cookie", &*self.cookies),
            ("X-CSRF-Token", &self.token),
            ("Content-Type", kind),
        ];
        http::send(&self.host, method, path, &headers, body)
    }

    /// Creates what `body` describes and returns it.
    pub(crate) fn create(&self, path: &str, body: &Value) -> io::Result<Value> {
        let path = format!("/admin/api/v1{path}");
        let body = body.to_string();
        let answer = self.send("POST", &path, "application/json", body.as_bytes())?;
        if answer.status == 201 {
            Ok(serde_json::from_slice(&answer.body)?)
        } else {
            Err(io::Error::other(format!(
                "POST {path}: {} {}",
                answer.status,
                answer.text()
            )))
        }
    }

    /// The id of a role.
    pub(crate) fn role(&self, name: &str) -> io::Result<String> {
        let answer = self.send("GET", "/admin/api/v1/roles", "application/json", b"")?;
        let roles: Value = serde_json::from_slice(&answer.body)?;
        let role = roles["items"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|it| it["name"] == name);
        let role = role.ok_or_else(|| io::Error::other(format!("there is no role {name}")))?;
        Ok(text(role, "roleId").to_owned())
    }
}

/// A member that is a text; empty where it is none.
pub(crate) fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}
