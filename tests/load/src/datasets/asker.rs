//! One client that asks for records of many datasets, each kind of request by itself, and tells how long each took.

use super::{Made, Options, Row, name};
use crate::client::Connection;
use crate::program::Running;
use crate::records::{code, spread};
use crate::searches::SEARCH;
use anyhow::{bail, ensure};
use serde_json::Value;
use std::time::{Duration, Instant};

/// How long the search index may take to have everything.
const INDEX_MAX: Duration = Duration::from_secs(3600);

/// One client on one connection.
pub(super) struct Asker<'m> {
    connection: Connection,
    host: String,
    made: &'m Made,
    /// How many datasets have records, and how many each has.
    datasets: u64,
    each: u64,
    /// Where the walk through a dataset's pages goes on: its number, and the page's key.
    walk: (usize, Option<String>),
}

impl<'m> Asker<'m> {
    pub(super) async fn new(
        running: &Running,
        made: &'m Made,
        row: &Row,
        options: Options,
    ) -> anyhow::Result<Self> {
        Ok(Asker {
            connection: Connection::open(running.address).await?,
            host: running.address.to_string(),
            made,
            datasets: row.datasets,
            each: options.each,
            walk: (0, None),
        })
    }

    async fn get(&mut self, path: &str) -> anyhow::Result<(u16, Value, Duration)> {
        let (host, key) = (&self.host, &self.made.key);
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: {key}\r\n\r\n");
        let began = Instant::now();
        let (status, body) = self.connection.ask(request.as_bytes()).await?;
        let took = began.elapsed();
        Ok((status, serde_json::from_slice(body)?, took))
    }

    async fn found(&mut self, path: &str) -> anyhow::Result<(Value, Duration)> {
        let (status, answer, took) = self.get(path).await?;
        ensure!(
            status == 200,
            "{path} is answered with {status}: {answer:.300}"
        );
        Ok((answer, took))
    }

    /// A dataset and a record of it, by chance that is the same each time.
    fn chosen(&self, turn: u64) -> (u64, String) {
        let mixed = spread(turn ^ 0x00da_7a5e);
        (mixed % self.datasets, code(1 + (mixed >> 20) % self.each))
    }

    pub(super) async fn ask(&mut self, kind: usize, turn: u64) -> anyhow::Result<Duration> {
        match kind {
            0 => self.key(turn).await,
            1 => self.page().await,
            2 => self.search(turn, false).await,
            _ => self.search(turn, true).await,
        }
    }

    pub(super) async fn key(&mut self, turn: u64) -> anyhow::Result<Duration> {
        let (dataset, code) = self.chosen(turn);
        let path = &self.made.paths[usize::try_from(dataset)?];
        let (record, took) = self.found(&format!("{path}/by-pk/{code}")).await?;
        ensure!(
            record["Code"] == code.as_str(),
            "another record than {code}"
        );
        Ok(took)
    }

    /// The next page of a dataset; behind the last one, the first of the next dataset.
    async fn page(&mut self) -> anyhow::Result<Duration> {
        let (dataset, key) = &self.walk;
        let path = &self.made.paths[*dataset];
        let query = key.as_ref().map(|key| format!("?pageKey={key}"));
        let path = format!("{path}{}", query.unwrap_or_default());
        let (page, took) = self.found(&path).await?;
        let items = page["items"].as_array().map_or(0, Vec::len);
        let next = page["nextPageKey"].as_str().map(str::to_owned);
        ensure!(items == 100 || next.is_none(), "a page of {items}");
        self.walk = match next {
            Some(key) => (self.walk.0, Some(key)),
            None => ((self.walk.0 + 1) % usize::try_from(self.datasets)?, None),
        };
        Ok(took)
    }

    /// A search for one record, in one dataset or in all of them.
    async fn search(&mut self, turn: u64, is_all: bool) -> anyhow::Result<Duration> {
        let (dataset, code) = self.chosen(turn);
        let (within, expected) = if is_all {
            ("all".to_owned(), self.datasets)
        } else {
            (name(dataset + 1), 1)
        };
        let path = format!("{SEARCH}?query=Code:{code}&dataSet={within}");
        let (found, took) = self.found(&path).await?;
        let hits = found["hits"].as_array().map_or(0, Vec::len);
        ensure!(
            found["total"] == expected && hits as u64 == expected,
            "{hits} hits of {expected}"
        );
        Ok(took)
    }

    pub(super) async fn wait_for_index(&mut self) -> anyhow::Result<()> {
        let (newest, last) = (name(self.datasets), code(self.each));
        let path = format!("{SEARCH}?query=Code:{last}&dataSet={newest}");
        let began = Instant::now();
        while began.elapsed() < INDEX_MAX {
            match self.get(&path).await? {
                (200, found, _) => {
                    ensure!(found["total"] == 1, "a search misses the record {last}");
                    return Ok(());
                }
                (503, ..) => tokio::time::sleep(Duration::from_millis(20)).await,
                (status, ..) => bail!("a search is answered with {status}"),
            }
        }
        bail!("the search index did not catch up")
    }
}
