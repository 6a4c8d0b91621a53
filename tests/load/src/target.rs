//! A server as the client sees it: where its records are, what it answered when all of them were read
//! once, and the requests that ask for them.

use crate::client::Connection;
use crate::program::Running;
use crate::records::{Page, Record, record, spread};
use anyhow::{Context as _, bail, ensure};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many pages a list is asked for, at random.
const PAGES_MAX: usize = 256;
const PAGE_SIZE: u64 = 100;
/// How long the search index may take to see the last write.
const CATCH_UP_MAX: Duration = Duration::from_secs(600);

/// A server, and what is known of it.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) running: Running,
    /// The dataset's records.
    pub(crate) path: String,
    /// The credential; none where none is asked for.
    pub(crate) key: Option<String>,
    /// Whether updates show in later answers, and a search finds what was created.
    pub(crate) is_service: bool,
    /// The number of the next record to create.
    pub(crate) next: AtomicU64,
    pub(crate) records: Vec<Record<String>>,
    pub(crate) ids: Vec<String>,
    pub(crate) versions: Vec<AtomicU32>,
    pages: Vec<(u64, Vec<u8>)>,
    pub(crate) expected_pages: Vec<Vec<u8>>,
}

impl Target {
    pub(crate) fn new(name: &'static str, running: Running, path: String, records: u64) -> Self {
        Target {
            name,
            running,
            path,
            key: None,
            is_service: false,
            next: AtomicU64::new(records),
            records: (0..records).map(record).collect(),
            ids: Vec::new(),
            versions: (0..records).map(|_| AtomicU32::new(0)).collect(),
            pages: Vec::new(),
            expected_pages: Vec::new(),
        }
    }

    /// The bytes of a request.
    pub(crate) fn request(&self, method: &str, path: &str, body: Option<&str>) -> Vec<u8> {
        let host = self.running.address;
        let mut text = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\n");
        if let Some(key) = &self.key {
            text = text + "authorization: " + key + "\r\n";
        }
        match body {
            None => text += "\r\n",
            Some(body) => {
                let length = body.len();
                text += "content-type: application/json\r\n";
                text = text + "content-length: " + &length.to_string() + "\r\n\r\n" + body;
            }
        }
        text.into_bytes()
    }

    /// The index that record `number` has.
    pub(crate) fn index(number: u64) -> usize {
        usize::try_from(number).unwrap_or(usize::MAX)
    }

    /// Reads all seeded records page by page and compares each; notes ids and pages.
    pub(crate) async fn walk(&mut self) -> anyhow::Result<()> {
        let count = self.records.len() as u64;
        let pages = count / PAGE_SIZE;
        let keep_each = pages.div_ceil(PAGES_MAX as u64).max(1);
        let mut connection = Connection::open(self.running.address).await?;
        let mut query = String::new();
        let mut number = 0;
        while number < count {
            let request = self.request("GET", &format!("{}{query}", self.path), None);
            let body = connection.expect(200, &request).await?;
            let page: Page<'_> = serde_json::from_slice(body)?;
            for shown in &page.items {
                let record = self.records.get(Target::index(number));
                let record = record.context("the list is longer than what was loaded")?;
                record.check(number, shown)?;
                self.ids.push(shown.id.to_owned());
                number += 1;
            }
            ensure!(!page.items.is_empty(), "an empty page");
            let is_full = page.items.len() as u64 == PAGE_SIZE;
            if is_full && (number / PAGE_SIZE).is_multiple_of(keep_each) {
                self.pages.push((number - PAGE_SIZE, request));
            }
            match page.next_page_key {
                Some(key) => query = format!("?pageKey={key}"),
                None => break,
            }
        }
        ensure!(number == count, "{number} of {count} records are listed");
        ensure!(
            !self.pages.is_empty(),
            "no full page; seed 100 records or more"
        );
        Ok(())
    }

    /// Reads the pages that will be asked for, and compares each record of them.
    pub(crate) async fn refresh_pages(&mut self) -> anyhow::Result<()> {
        let mut connection = Connection::open(self.running.address).await?;
        self.expected_pages.clear();
        for (first, request) in &self.pages {
            let body = connection.expect(200, request).await?;
            let page: Page<'_> = serde_json::from_slice(body)?;
            ensure!(page.items.len() as u64 == PAGE_SIZE, "a page is not full");
            for (number, shown) in (*first..).zip(&page.items) {
                self.records[Target::index(number)].check(number, shown)?;
            }
            self.expected_pages.push(body.to_vec());
        }
        Ok(())
    }

    /// The request for a page, and the bytes it must be answered with.
    pub(crate) fn page(&self, random: u64) -> (&[u8], &[u8]) {
        let index = random % self.pages.len() as u64;
        let index = Target::index(index);
        (&self.pages[index].1, &self.expected_pages[index])
    }

    /// Waits until a search finds the record that was created last.
    pub(crate) async fn catch_up(&self) -> anyhow::Result<()> {
        let last = self.next.load(Ordering::Relaxed) - 1;
        let code = crate::records::code(last);
        let search = format!("/v1/dataobjects/search?query=Code:{code}");
        let request = self.request("GET", &search, None);
        let began = Instant::now();
        let mut connection = Connection::open(self.running.address).await?;
        while began.elapsed() < CATCH_UP_MAX {
            let (status, body) = connection.ask(&request).await?;
            match status {
                200 => {
                    let found: serde_json::Value = serde_json::from_slice(body)?;
                    ensure!(found["total"] == 1, "a search misses the record {code}");
                    return Ok(());
                }
                503 => tokio::time::sleep(Duration::from_millis(20)).await,
                _ => bail!("a search is answered with {status}"),
            }
        }
        bail!("the search index did not catch up")
    }
}

/// Cheap chance for the choice of keys: each connection has its own.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        spread(self.0)
    }
}
