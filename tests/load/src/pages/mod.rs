//! Pages of the application on a large dataset, one of a hundred, as a steward asks for them: signed in, one after another on
//! one connection. A few percent of the records are faulty, some are deleted. It compares with nothing; the table tells the
//! middle and the slowest of a hundred, which fails the run where it is slower than it may be.

mod kinds;

use crate::client::Connection;
use crate::digits::grouped;
use crate::forms::{become_faulty, schema};
use crate::import::write_lines_of;
use crate::machine;
use crate::program::{Cores, Running};
use crate::records::{code, spread};
use crate::seed::{DATASET, fieldstone};
use anyhow::{Context as _, ensure};
use clap::Args;
use kinds::{DELETED, KINDS, Kind, Known, rows};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// How long the search index may take to have everything.
const INDEX_MAX: Duration = Duration::from_secs(3600);
/// What the slowest page of a hundred may take.
const P99_MAX: Duration = Duration::from_millis(50);
/// Datasets without records beside the large one, which home has on it, and as many areas, roles, keys and webhooks.
const OTHERS: u32 = 99;
const PASSWORD: &str = "wharf lantern 83 otter";
const STEWARD: &str = "
    users:
      - username: steward
        email: steward@example.com
        password: wharf lantern 83 otter
        roles: [ACCOUNT ADMINISTRATOR]
        areas: {Load: [view, add, edit, delete]}";
/// One of several; `NN` is its number. Each webhook is off, so that nothing is sent meanwhile.
const SHELF: &str = "
              - name: Shelf NN";
const AREA: &str = "
      - name: Area NN";
const ROLE: &str = "
      - name: Role NN
        permissions:
          DATA OBJECTS: [view]";
const KEY: &str = "
      - name: Key NN
        roles: [Role NN]
        areas: {Load: [view]}";
const HOOK: &str = "
      - name: Hook NN
        url: https://example.org/NN
        datasets: [Load/Product/Shelf NN]
        active: false";

/// How much there is, and how often it is asked for.
#[derive(Args, Clone, Copy)]
pub(crate) struct Options {
    /// Records of the dataset
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(200..=5_000_000))]
    of: u64,

    /// How often each page is asked for
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(10..=100_000))]
    asked: u64,
}

/// Fills a store, asks for pages, prints the table.
pub(crate) async fn run(
    program: &Path,
    folder: &Path,
    cores: Cores,
    options: Options,
) -> anyhow::Result<()> {
    fill(program, folder, options.of)?;
    let mut serve = fieldstone(program, folder, None);
    serve.args(["--log", "error", "serve", "--listen", "127.0.0.1:0"]);
    serve.stderr(Stdio::null());
    let running = Running::start(serve, cores)?;
    let mut steward = Steward::sign_in(running.address, options.of).await?;
    steward.wait_for_index().await?;
    steward.delete_some().await?;
    println!(
        "| page, {} records | p50, ms | p99, ms | to reach |",
        grouped(options.of)
    );
    println!("| - | -: | -: | -: |");
    let mut slow = Vec::new();
    for kind in &KINDS {
        let mut all = Vec::new();
        for turn in 0..options.asked {
            all.push(steward.ask(kind, turn).await?);
        }
        all.sort_unstable();
        let at = |share: usize| all[(all.len() - 1) * share / 100];
        let milliseconds = |share: usize| at(share).as_secs_f64() * 1e3;
        println!(
            "| {} | {:.2} | {:.2} | ≤ {} ms |",
            kind.what,
            milliseconds(50),
            milliseconds(99),
            P99_MAX.as_millis()
        );
        if at(99) > P99_MAX {
            slow.push(kind.what);
        }
    }
    running.stop()?;
    println!(
        "\n{} of each, one after another on one connection, with the session's cookie; records and words by chance, pages of the grid as they follow one another. {}.",
        grouped(options.asked),
        machine::memory_and_kernel()?
    );
    // a debug build is rehearsed with, and is as slow as it is
    ensure!(
        slow.is_empty() || cfg!(debug_assertions),
        "slower than they may be: {}",
        slow.join(", ")
    );
    Ok(())
}

/// What is there beside the records.
fn manifest() -> String {
    let several = |one: &str| {
        let all = (1..=OTHERS).map(|number| one.replace("NN", &format!("{number:02}")));
        all.collect::<String>()
    };
    [
        DATASET,
        &several(SHELF),
        &several(AREA),
        STEWARD,
        "\n    roles:",
        &several(ROLE),
        "\n    apiKeys:",
        &several(KEY),
        "\n    webhooks:",
        &several(HOOK),
        "\n",
    ]
    .concat()
}

fn fill(program: &Path, folder: &Path, records: u64) -> anyhow::Result<()> {
    std::fs::write(folder.join("load.yaml"), manifest())?;
    std::fs::write(folder.join("schema.json"), schema()?)?;
    write_lines_of(&folder.join("rows.ndjson"), records, become_faulty)?;
    for (arguments, what) in [
        (&["apply", "load.yaml"][..], "the dataset could not be made"),
        (
            &["import", "rows.ndjson", "--into", "Load/Product/Products"],
            "the records could not be imported",
        ),
    ] {
        let command = fieldstone(program, folder, None)
            .args(["--log", "error"])
            .args(arguments)
            .output()
            .context("can't start the program")?;
        let told = String::from_utf8_lossy(&command.stderr).into_owned();
        ensure!(command.status.success(), "{what}: {told}");
    }
    Ok(std::fs::remove_file(folder.join("rows.ndjson"))?)
}

/// Who is signed in, on one connection.
struct Steward {
    connection: Connection,
    host: String,
    cookies: String,
    /// The address of the dataset's page.
    dataset: String,
    records: u64,
    /// The page of the grid that comes next.
    next: Option<String>,
    /// Records that were seen in the grid.
    seen: Vec<String>,
}

impl Steward {
    async fn sign_in(address: SocketAddr, records: u64) -> anyhow::Result<Self> {
        let mut steward = Steward {
            connection: Connection::open(address).await?,
            host: address.to_string(),
            cookies: cookies(address).await?,
            dataset: String::new(),
            records,
            next: None,
            seen: Vec::new(),
        };
        let (home, _) = steward.get("/app/").await?;
        let (before, _) = home
            .split_once("\">Products</a>")
            .context("home has no dataset")?;
        let id = before.rsplit('/').next().unwrap_or_default();
        steward.dataset = format!("/app/datasets/{id}");
        Ok(steward)
    }

    async fn get(&mut self, path: &str) -> anyhow::Result<(String, Duration)> {
        self.get_with(path, "").await
    }

    /// The same of a part of a page, as its script asks for it.
    async fn get_part(&mut self, path: &str) -> anyhow::Result<(String, Duration)> {
        self.get_with(path, "hx-request: true\r\n").await
    }

    async fn get_with(&mut self, path: &str, part: &str) -> anyhow::Result<(String, Duration)> {
        let (host, cookies) = (&self.host, &self.cookies);
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n{part}cookie: {cookies}\r\n\r\n");
        let began = Instant::now();
        let (status, body) = self.connection.ask(request.as_bytes()).await?;
        let took = began.elapsed();
        ensure!(status == 200, "{path} is answered with {status}");
        Ok((String::from_utf8_lossy(body).into_owned(), took))
    }

    /// Sends a form, which leads to a page.
    async fn post(&mut self, path: &str, body: &str) -> anyhow::Result<()> {
        let (host, cookies, length) = (&self.host, &self.cookies, body.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookies}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        let (status, _) = self.connection.ask(request.as_bytes()).await?;
        ensure!(status == 303, "{path} is answered with {status}");
        Ok(())
    }

    async fn ask(&mut self, kind: &Kind, turn: u64) -> anyhow::Result<Duration> {
        let known = Known {
            dataset: &self.dataset,
            records: self.records,
            seen: &self.seen,
            next: self.next.as_deref().unwrap_or_default(),
        };
        let path = (kind.path)(&known, spread(turn ^ 0x0057_e4a2));
        let (page, took) = if kind.is_part {
            self.get_part(&path).await?
        } else {
            self.get(&path).await?
        };
        let is_right = kind.must.holds(&page);
        ensure!(is_right, "{path} has not what it must: {}", kind.what);
        if kind.is_walk {
            self.walk_on(&page);
        }
        Ok(took)
    }

    /// Notes the records of a page of the grid, and which page comes next; behind the last one, the first.
    fn walk_on(&mut self, page: &str) {
        let ids = page.split("<tr data-record=\"").skip(1);
        self.seen = { ids.filter_map(|rest| rest.split_once('"')) }
            .map(|(id, _)| id.to_owned())
            .collect();
        self.next = page.split_once("\" rel=\"next\"").and_then(|(before, _)| {
            let (_, address) = before.rsplit_once("href=\"")?;
            let query = &address[address.find('?')?..];
            Some(query.replace("&#38;", "&").replace("&amp;", "&"))
        });
    }

    /// Deletes the records with the lowest numbers, as one does on a record's page.
    async fn delete_some(&mut self) -> anyhow::Result<()> {
        for number in 1..=DELETED {
            let path = format!("{}?q=Code:{}", self.dataset, code(number));
            let (page, _) = self.get(&path).await?;
            let of = |beginning: &str| {
                let (_, rest) = page.split_once(beginning)?;
                rest.split('"').next()
            };
            let record = of("<tr data-record=\"").context("a record that is not there")?;
            let token = of("name=\"token\" value=\"").context("a page without a form")?;
            let path = format!("{}/records/{record}/delete", self.dataset);
            self.post(&path, &format!("token={token}")).await?;
        }
        Ok(())
    }

    async fn wait_for_index(&mut self) -> anyhow::Result<()> {
        let path = format!("{}?q=Code:{}", self.dataset, code(self.records));
        let began = Instant::now();
        while began.elapsed() < INDEX_MAX {
            if rows(&self.get(&path).await?.0) == 1 {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::bail!("the search index did not catch up")
    }
}

/// Signs in, and gives the cookies that came of it.
async fn cookies(address: SocketAddr) -> anyhow::Result<String> {
    // what proves that a page of ours has the form, behind a mask that changes nothing
    let secret = "0".repeat(32);
    let token = "00".repeat(32) + &"30".repeat(32);
    let password = PASSWORD.replace(' ', "+");
    let body = format!("username=steward&password={password}&token={token}");
    let request = format!(
        "POST /app/sign-in HTTP/1.1\r\nhost: {address}\r\ncookie: fieldstone_form={secret}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let lines = answer.lines().take_while(|line| !line.is_empty());
    let set = lines.filter_map(|line| line.split_once(": "));
    let set = set.filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
    let pairs: Vec<_> = set
        .filter_map(|(_, value)| value.split(';').next())
        .collect();
    ensure!(!pairs.is_empty(), "nobody could sign in: {answer:.300}");
    Ok(pairs.join("; "))
}
