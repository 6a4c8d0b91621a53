//! What came to be in the store over time, and stands in no manifest: versions of the schema, users that were invited, jobs. A program
//! makes it by the management interface, while the dataset has no records yet.

use super::steward::Steward;
use super::store::{OTHERS, PASSWORD, USERNAME};
use crate::client::Connection;
use crate::forms::schema;
use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How long all jobs may take.
const JOBS_MAX: Duration = Duration::from_secs(600);
/// Until it is asked again what became of a job.
const A_WHILE: Duration = Duration::from_millis(10);

/// Makes it.
pub(super) async fn make(address: SocketAddr) -> anyhow::Result<()> {
    let mut steward = Steward::sign_in(address, 0).await?;
    let mut manager = Manager::sign_in(address).await?;
    let own = steward.id_of("/app/schemas", "schemas", "Product").await?;
    manager.change_schema(&own).await?;
    let area = steward.id_of("/app/areas", "areas", "Load").await?;
    let role = steward.id_of("/app/roles", "roles", "Role 01").await?;
    manager.invite(&area, &role).await?;
    let shelf = steward.id_of("/app/", "datasets", "Shelf 01").await?;
    manager.export(&shelf).await
}

/// The steward as a program, on a connection of its own.
struct Manager {
    connection: Connection,
    address: SocketAddr,
    /// The session's token; empty before there is one.
    token: String,
}

impl Manager {
    async fn sign_in(address: SocketAddr) -> anyhow::Result<Self> {
        let mut manager = Manager {
            connection: Connection::open(address).await?,
            address,
            token: String::new(),
        };
        let body = json!({"username": USERNAME, "password": PASSWORD, "token": true});
        let session = manager.expect(200, "POST", "/sessions", &body).await?;
        manager.token = text(&session, "token")?;
        Ok(manager)
    }

    async fn ask(
        &mut self,
        method: &str,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<(u16, Value)> {
        let mut head = format!(
            "{method} /admin/api/v1{path} HTTP/1.1\r\nhost: {}\r\n",
            self.address
        );
        if !self.token.is_empty() {
            head = head + "authorization: " + &self.token + "\r\n";
        }
        let mut sent = String::new();
        if !body.is_null() {
            sent = body.to_string();
            let length = sent.len().to_string();
            head = head + "content-type: application/json\r\ncontent-length: " + &length + "\r\n";
        }
        let request = head + "\r\n" + &sent;
        let (status, told) = self.connection.ask(request.as_bytes()).await?;
        Ok((status, serde_json::from_slice(told)?))
    }

    /// Asks for what must be answered with this status.
    async fn expect(
        &mut self,
        wanted: u16,
        method: &str,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<Value> {
        let (status, told) = self.ask(method, path, body).await?;
        ensure!(status == wanted, "{path} is answered with {status}: {told}");
        Ok(told)
    }

    /// Makes versions in which nothing but the order of the last two fields differs: nothing is judged anew.
    async fn change_schema(&mut self, id: &str) -> anyhow::Result<()> {
        let mut document: Value = serde_json::from_str(&schema()?)?;
        for _ in 0..OTHERS {
            let fields = document["fields"].as_array_mut();
            if let [.., one, other] = fields.context("a schema without fields")?.as_mut_slice() {
                std::mem::swap(one, other);
            }
            let body = json!({"document": document, "state": "published"});
            let path = format!("/schemas/{id}");
            self.expect(200, "PUT", &path, &body).await?;
        }
        Ok(())
    }

    /// Invites users.
    async fn invite(&mut self, area: &str, role: &str) -> anyhow::Result<()> {
        for number in 1..=OTHERS {
            let body = json!({
                "username": format!("guest-{number:02}"),
                "fullName": format!("Guest {number:02}"),
                "email": "guest@example.com",
                "roles": [role],
                "grants": [{"area": area, "verbs": ["view"]}],
            });
            self.expect(201, "POST", "/invitations", &body).await?;
        }
        Ok(())
    }

    /// Exports a dataset so often, and waits until the last job is done.
    async fn export(&mut self, dataset: &str) -> anyhow::Result<()> {
        let path = format!("/datasets/{dataset}/exports");
        let began = Instant::now();
        let (mut made, mut last) = (0, String::new());
        while made < OTHERS {
            let (status, told) = self.ask("POST", &path, &json!({})).await?;
            match status {
                201 => {
                    last = text(&told, "jobId")?;
                    made += 1;
                }
                // no more of them may wait
                409 if began.elapsed() < JOBS_MAX => tokio::time::sleep(A_WHILE).await,
                _ => bail!("{path} is answered with {status}: {told}"),
            }
        }
        let path = format!("/jobs/{last}");
        while began.elapsed() < JOBS_MAX {
            let job = self.expect(200, "GET", &path, &Value::Null).await?;
            if job["state"] == "done" {
                return Ok(());
            }
            tokio::time::sleep(A_WHILE).await;
        }
        bail!("the exports were not done in time")
    }
}

fn text(told: &Value, name: &str) -> anyhow::Result<String> {
    let text = told[name].as_str();
    let text = text.with_context(|| format!("an answer without {name}"))?;
    Ok(text.to_owned())
}
