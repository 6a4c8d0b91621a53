//! A neighbour to be measured beside: `PocketBase` with a collection of the same twelve fields, a unique
//! index on the code, and rules that ask for a signed-in user. The client gets its program by its path;
//! nothing of it is in the house.

use crate::client::Connection;
use crate::digits::grouped;
use crate::program::{Cores, Running};
use crate::records::Record;
use crate::target::{Kind, Target};
use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const RECORDS: &str = "/api/collections/products/records";
const EMAIL: &str = "load@example.com";
const PASSWORD: &str = "only-for-this-run";
const BATCH: usize = 1000;
/// Loading it takes long; fewer records are to its advantage.
const RECORDS_MAX: u64 = 20_000;

/// A record as it is answered: its dates have gained a time of day.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Found<'a> {
    #[serde(rename = "id")]
    id: &'a str,
    code: &'a str,
    name: &'a str,
    description: &'a str,
    price: f64,
    stock: i64,
    weight: f64,
    listed: bool,
    introduced: &'a str,
    changed: &'a str,
    contact: &'a str,
    page: &'a str,
    category: &'a str,
}

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    items: Vec<Found<'a>>,
}

/// Starts it with records in it, and signs in.
pub(crate) async fn start(
    program: &Path,
    folder: &Path,
    cores: Cores,
    records: u64,
) -> anyhow::Result<Target> {
    let began = Instant::now();
    let records = records.min(RECORDS_MAX);
    std::fs::create_dir(folder)?;
    let version = command(program, folder).arg("--version").output()?;
    let version = String::from_utf8(version.stdout)?;
    let version = version.split_whitespace().last().unwrap_or_default();
    let mut operator = command(program, folder);
    let made = operator
        .args(["superuser", "upsert", EMAIL, PASSWORD])
        .output()?;
    ensure!(made.status.success(), "PocketBase takes no superuser");
    let address = free_address()?;
    let mut serve = command(program, folder);
    serve.args(["serve", "--http", &address.to_string()]);
    serve.stderr(Stdio::null());
    let running = Running::start_at(serve, cores, address)?;
    let mut target = Target::new(Kind::PocketBase, running, RECORDS.to_owned(), records);
    target.name = format!("PocketBase {version}, {} records", grouped(records));
    prepare(&mut target).await?;
    let took = began.elapsed().as_secs_f64();
    eprintln!("{} loaded in {took:.1} s", target.name);
    Ok(target)
}

fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).args(["--dir", "data"]);
    command.args(["--migrationsDir", "migrations", "--publicDir", "public"]);
    command.args(["--hooksDir", "hooks"]);
    command
}

/// An address that nobody listens at now.
fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0")?.local_addr()
}

async fn prepare(target: &mut Target) -> anyhow::Result<()> {
    let mut connection = Connection::open(target.running.address).await?;
    target.key = Some(token(target, &mut connection, "_superusers").await?);
    // its log of requests would only cost it time
    let settings = json!({
        "batch": {"enabled": true, "maxRequests": BATCH, "timeout": 60},
        "logs": {"maxDays": 0},
        "rateLimits": {"enabled": false},
    });
    send(target, &mut connection, "PATCH", "/api/settings", &settings).await?;
    send(
        target,
        &mut connection,
        "POST",
        "/api/collections",
        &collection(),
    )
    .await?;
    let user = json!({"email": EMAIL, "password": PASSWORD, "passwordConfirm": PASSWORD});
    let users = "/api/collections/users/records";
    send(target, &mut connection, "POST", users, &user).await?;
    load(target, &mut connection).await?;
    let count = target.request("GET", &format!("{RECORDS}?perPage=1"), None);
    let count: Value = serde_json::from_slice(connection.expect(200, &count).await?)?;
    let seeded = target.seeded;
    ensure!(
        count["totalItems"] == seeded,
        "{seeded} records, it counts {count:.40}"
    );
    // the rest of the run asks as a user, and only a user is answered
    target.key = None;
    let stranger = target.request("GET", RECORDS, None);
    let shown: Page<'_> = serde_json::from_slice(connection.expect(200, &stranger).await?)?;
    ensure!(shown.items.is_empty(), "it shows records to strangers");
    target.key = Some(token(target, &mut connection, "users").await?);
    Ok(())
}

async fn load(target: &Target, connection: &mut Connection) -> anyhow::Result<()> {
    let mut record = Record::default();
    let mut requests = Vec::new();
    for number in 0..target.seeded {
        record.become_number(number);
        let body = serde_json::to_value(&record)?;
        requests.push(json!({"method": "POST", "url": RECORDS, "body": body}));
        if requests.len() == BATCH || number + 1 == target.seeded {
            let batch = json!({"requests": std::mem::take(&mut requests)});
            send(target, connection, "POST", "/api/batch", &batch).await?;
        }
    }
    Ok(())
}

async fn token(
    target: &Target,
    connection: &mut Connection,
    collection: &str,
) -> anyhow::Result<String> {
    let path = format!("/api/collections/{collection}/auth-with-password");
    let credential = json!({"identity": EMAIL, "password": PASSWORD});
    let answer = send(target, connection, "POST", &path, &credential).await?;
    let token = answer["token"].as_str();
    Ok(token.context("PocketBase gives no token")?.to_owned())
}

async fn send(
    target: &Target,
    connection: &mut Connection,
    method: &str,
    path: &str,
    body: &Value,
) -> anyhow::Result<Value> {
    let request = target.request(method, path, Some(&body.to_string()));
    Ok(serde_json::from_slice(
        connection.expect(200, &request).await?,
    )?)
}

/// What `schema.json` says, in its words. A required number may not be 0 there.
fn collection() -> Value {
    let signed_in = "@request.auth.id != ''";
    json!({
        "name": "products",
        "type": "base",
        "listRule": signed_in,
        "viewRule": signed_in,
        "createRule": signed_in,
        "updateRule": signed_in,
        "indexes": ["CREATE UNIQUE INDEX products_code ON products (Code)"],
        "fields": [
            {"name": "Code", "type": "text", "required": true, "max": 32, "pattern": "^[A-Za-z0-9]+$"},
            {"name": "Name", "type": "text", "required": true, "min": 1, "max": 80},
            {"name": "Description", "type": "text", "required": true, "max": 400},
            {"name": "Price", "type": "number", "min": 0},
            {"name": "Stock", "type": "number", "onlyInt": true, "min": 0, "max": 1_000_000},
            {"name": "Weight", "type": "number", "min": 0},
            {"name": "Listed", "type": "bool"},
            {"name": "Introduced", "type": "date"},
            {"name": "Changed", "type": "date"},
            {"name": "Contact", "type": "email"},
            {"name": "Page", "type": "url"},
            {"name": "Category", "type": "select", "maxSelect": 1, "values": ["HARDWARE", "FURNITURE", "MATERIAL", "TOOL"]},
        ],
    })
}

/// Checks the answer to a create.
pub(crate) fn check_created(record: &Record<String>, body: &[u8]) -> anyhow::Result<()> {
    check(record, &serde_json::from_slice(body)?)
}

/// Checks the answer to a look-up.
pub(crate) fn check_found(record: &Record<String>, body: &[u8]) -> anyhow::Result<()> {
    let page: Page<'_> = serde_json::from_slice(body)?;
    let [found] = page.items.as_slice() else {
        anyhow::bail!("{} records of one code", page.items.len());
    };
    check(record, found)
}

fn check(record: &Record<String>, found: &Found<'_>) -> anyhow::Result<()> {
    let is_same = !found.id.is_empty()
        && record.code == found.code
        && record.name == found.name
        && record.description == found.description
        && record.price.to_bits() == found.price.to_bits()
        && record.stock == found.stock
        && record.weight.to_bits() == found.weight.to_bits()
        && record.listed == found.listed
        && found.introduced.starts_with(&record.introduced)
        && found.changed.starts_with(&record.changed)
        && record.contact == found.contact
        && record.page == found.page
        && record.category == found.category;
    ensure!(is_same, "PocketBase answers with another {}", record.code);
    Ok(())
}
