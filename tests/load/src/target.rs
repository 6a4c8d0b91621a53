//! A server as the client sees it: where its records are, what is known of them, and the requests that
//! ask for them. What a record holds follows from its number; only ids, versions and some pages are kept.

use crate::client::Connection;
use crate::program::Running;
use crate::records::{Page, Record, code, spread};
use crate::searches::{KnownSearch, SEARCH};
use anyhow::{bail, ensure};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const PAGE_SIZE: u64 = 100;
/// How long the search index may take at the least, and for each record.
const CATCH_UP: Duration = Duration::from_secs(300);
const CATCH_UP_EACH: Duration = Duration::from_millis(1);

/// Whose paths and answers a server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Service,
    Bare,
    PocketBase,
}

/// A server, and what is known of it.
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) running: Running,
    /// The dataset's records.
    pub(crate) path: String,
    /// The credential; none where none is asked for.
    pub(crate) key: Option<String>,
    /// How many records it began with.
    pub(crate) seeded: u64,
    /// The number of the next record to create.
    pub(crate) next: AtomicU64,
    pub(crate) ids: Ids,
    pub(crate) versions: Vec<AtomicU32>,
    pages: Vec<KnownPage>,
    /// Searches for rare words, and for common ones.
    searches: [Vec<KnownPage>; 2],
}

/// A page's request, and the answer that it must have.
struct KnownPage {
    request: Vec<u8>,
    answer: Vec<u8>,
}

impl Target {
    pub(crate) fn new(kind: Kind, running: Running, path: String, seeded: u64) -> Self {
        let name = match kind {
            Kind::Service => "fieldstone",
            Kind::Bare => "bare axum",
            Kind::PocketBase => "PocketBase",
        };
        Target {
            name: name.to_owned(),
            kind,
            running,
            path,
            key: None,
            seeded,
            next: AtomicU64::new(seeded),
            ids: Ids::default(),
            versions: Vec::new(),
            pages: Vec::new(),
            searches: [Vec::new(), Vec::new()],
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

    /// The request for the one record with this primary key.
    pub(crate) fn get(&self, code: &str) -> Vec<u8> {
        let path = match self.kind {
            Kind::Service | Kind::Bare => format!("{}/by-pk/{code}", self.path),
            // it is not asked to count, which would cost it more
            Kind::PocketBase => {
                format!("{}?filter=(Code='{code}')&perPage=1&skipTotal=1", self.path)
            }
        };
        self.request("GET", &path, None)
    }

    /// The index that record `number` has.
    pub(crate) fn index(number: u64) -> usize {
        usize::try_from(number).unwrap_or(usize::MAX)
    }

    /// Reads all seeded records page by page and compares each; notes their ids, and so many pages at most.
    pub(crate) async fn walk(&mut self, pages_max: u64) -> anyhow::Result<()> {
        let pages = self.seeded / PAGE_SIZE;
        let keep_each = pages.div_ceil(pages_max.max(1)).max(1);
        let mut connection = Connection::open(self.running.address).await?;
        let mut record = Record::default();
        let (mut query, mut number) = (String::new(), 0);
        loop {
            let request = self.request("GET", &format!("{}{query}", self.path), None);
            let body = connection.expect(200, &request).await?;
            let page: Page<'_> = serde_json::from_slice(body)?;
            for shown in &page.items {
                record.become_number(number);
                record.check(number, shown)?;
                self.ids.push(shown.id)?;
                number += 1;
            }
            ensure!(!page.items.is_empty(), "an empty page");
            let is_full = page.items.len() as u64 == PAGE_SIZE;
            let is_wanted = pages_max > 0 && (number / PAGE_SIZE).is_multiple_of(keep_each);
            // the last page changes when a record is created
            if is_full && is_wanted && page.next_page_key.is_some() {
                let answer = body.to_vec();
                self.pages.push(KnownPage { request, answer });
            }
            match page.next_page_key {
                Some(key) => query = format!("?pageKey={key}"),
                None => break,
            }
        }
        let seeded = self.seeded;
        ensure!(number == seeded, "{number} of {seeded} records are listed");
        self.versions = (0..seeded).map(|_| AtomicU32::new(0)).collect();
        Ok(())
    }

    /// The request for a page, and the bytes it must be answered with.
    pub(crate) fn page(&self, random: u64) -> (&[u8], &[u8]) {
        let page = &self.pages[Target::index(random % self.pages.len() as u64)];
        (&page.request, &page.answer)
    }

    /// Notes searches for rare words and for common ones, which all servers answer with the same bytes.
    pub(crate) fn know(&mut self, searches: [&Vec<KnownSearch>; 2]) {
        self.searches = searches.map(|searches| {
            let known = searches.iter().map(|search| KnownPage {
                request: self.request("GET", &format!("{SEARCH}?{}", search.query), None),
                answer: search.answer.clone().into_bytes(),
            });
            known.collect()
        });
    }

    /// The request for a search, and the bytes it must be answered with.
    pub(crate) fn search(&self, random: u64, is_common: bool) -> (&[u8], &[u8]) {
        let searches = &self.searches[usize::from(is_common)];
        let search = &searches[Target::index(random % searches.len() as u64)];
        (&search.request, &search.answer)
    }

    /// How many pages are asked for, and their bytes.
    pub(crate) fn pages(&self) -> (usize, usize) {
        let bytes = self.pages.iter().map(|page| page.answer.len()).sum();
        (self.pages.len(), bytes)
    }

    /// Waits until a search finds the record that was created last.
    pub(crate) async fn catch_up(&self) -> anyhow::Result<()> {
        let count = self.next.load(Ordering::Relaxed);
        let most = CATCH_UP + CATCH_UP_EACH * u32::try_from(count).unwrap_or(u32::MAX);
        let code = code(count - 1);
        let search = format!("{SEARCH}?query=Code:{code}");
        let request = self.request("GET", &search, None);
        let began = Instant::now();
        let mut connection = Connection::open(self.running.address).await?;
        while began.elapsed() < most {
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

/// Many ids in one piece of memory.
#[derive(Default)]
pub(crate) struct Ids {
    text: String,
    ends: Vec<u32>,
}

impl Ids {
    fn push(&mut self, id: &str) -> anyhow::Result<()> {
        self.text.push_str(id);
        self.ends.push(u32::try_from(self.text.len())?);
        Ok(())
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        let end_of = |index: usize| self.ends[index] as usize;
        let start = index.checked_sub(1).map_or(0, end_of);
        &self.text[start..end_of(index)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_as_they_were_noted() {
        let mut ids = Ids::default();
        for id in ["a", "bcd", "", "ef"] {
            ids.push(id).unwrap();
        }
        assert_eq!(
            [0, 1, 2, 3].map(|index| ids.get(index)),
            ["a", "bcd", "", "ef"]
        );
    }
}
