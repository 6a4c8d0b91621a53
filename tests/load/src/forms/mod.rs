//! Rows about what a search asks for beside words: faults, ranges, what is missing, orders and counts, each alone and with a
//! word that each tenth record has. It has a dataset of its own, with records that are faulty or lack a value; what must be
//! found follows from their numbers, and every answer is compared with it. One client asks, on one connection.

mod content;

pub(crate) use content::{become_number as become_faulty, schema};

use crate::client::Connection;
use crate::digits::grouped;
use crate::ground::{Ground, started};
use crate::records::code;
use crate::report::Report;
use crate::searches::SEARCH;
use crate::seed::{Content, Seeded, seed};
use crate::target::Target;
use anyhow::{Context as _, ensure};
use content::{Counts, Expected, FORMS, WORD, become_number, has_word};
use serde::Deserialize;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The folder of the dataset.
const FOLDER: &str = "forms";
const PAGE_SIZE: usize = 100;
/// Up to where hits are counted.
const TOTAL_MAX: usize = 1_000;
/// How often each is asked for at the least, however long it takes.
const ASKED_MIN: usize = 10;
/// Below what the slowest page of a hundred is to be.
const P99_BELOW: Duration = Duration::from_millis(20);

/// Loads the dataset.
pub(crate) fn load(ground: &Ground) -> anyhow::Result<Seeded> {
    let schema = schema()?;
    let content = Content {
        schema: &schema,
        records: ground.large,
        make: become_number,
    };
    let database = ground.database.as_deref();
    let seeded = seed(
        &ground.program,
        &ground.folder.join(FOLDER),
        database,
        content,
    )?;
    let took = seeded.took.as_secs_f64();
    let records = grouped(ground.large);
    eprintln!("{records} records for forms loaded in {took:.1} s");
    Ok(seeded)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hits<'a> {
    total: usize,
    #[serde(borrow, rename = "hits")]
    items: Vec<Hit<'a>>,
    next_page_key: Option<&'a str>,
}

#[derive(Deserialize)]
struct Hit<'a> {
    #[serde(rename = "Code")]
    code: &'a str,
}

#[derive(Deserialize)]
struct Facets {
    facets: Vec<Facet>,
    faults: Vec<Fault>,
}

#[derive(Deserialize)]
struct Facet {
    field: String,
    values: Vec<FacetValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FacetValue {
    value: Value,
    record_count: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fault {
    field: String,
    rule: String,
    record_count: u64,
}

impl Facets {
    fn counts(self) -> Counts {
        let mut counts = Counts::new();
        for Facet { field, values } in self.facets {
            for FacetValue {
                value,
                record_count,
            } in values
            {
                let told = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                counts.insert((field.clone(), told), record_count);
            }
        }
        for fault in self.faults {
            counts.insert((fault.field, fault.rule), fault.record_count);
        }
        counts
    }
}

/// What is asked for again and again, and what must be found.
enum Asked<'e> {
    /// Pages, one after another, of records in this order.
    Pages {
        path: String,
        numbers: &'e [u64],
    },
    Counts {
        path: String,
        counts: &'e Counts,
    },
}

/// One client on one connection.
struct Client<'t> {
    target: &'t Target,
    connection: Connection,
    /// How many hits were walked through, and the key of the page behind them.
    walked: (usize, Option<String>),
}

impl Client<'_> {
    async fn ask(&mut self, asked: &Asked<'_>) -> anyhow::Result<Duration> {
        match asked {
            Asked::Pages { path, numbers } => self.page(path, numbers).await,
            Asked::Counts { path, counts } => self.counts(path, counts).await,
        }
    }

    /// The next page; behind the last one, the first.
    async fn page(&mut self, path: &str, numbers: &[u64]) -> anyhow::Result<Duration> {
        let (walked, key) = std::mem::take(&mut self.walked);
        let more = key.map(|key| format!("&pageKey={key}"));
        let path = format!("{path}{}", more.unwrap_or_default());
        let request = self.target.request("GET", &path, None);
        let began = Instant::now();
        let body = self.connection.expect(200, &request).await?;
        let took = began.elapsed();
        let page: Hits<'_> = serde_json::from_slice(body)?;
        let due = numbers.iter().skip(walked).take(PAGE_SIZE);
        let is_same = page
            .items
            .iter()
            .map(|hit| hit.code)
            .eq(due.map(|number| code(*number)));
        ensure!(is_same, "{path} finds other records, or in another order");
        let total = numbers.len().min(TOTAL_MAX);
        ensure!(
            page.total == total,
            "{path} has a total of {} instead of {total}",
            page.total
        );
        let walked = walked + page.items.len();
        let is_last = walked == numbers.len();
        ensure!(
            is_last || page.next_page_key.is_some(),
            "{path} has no page behind it"
        );
        if !is_last {
            self.walked = (walked, page.next_page_key.map(str::to_owned));
        }
        Ok(took)
    }

    async fn counts(&mut self, path: &str, counts: &Counts) -> anyhow::Result<Duration> {
        let request = self.target.request("GET", path, None);
        let began = Instant::now();
        let body = self.connection.expect(200, &request).await?;
        let took = began.elapsed();
        let told: Facets = serde_json::from_slice(body)?;
        ensure!(told.counts() == *counts, "{path} counts something else");
        Ok(took)
    }

    /// Asks for so long, and once before, which puts values in order where nobody asked before.
    async fn times(&mut self, asked: &Asked<'_>, time: Duration) -> anyhow::Result<Times> {
        self.walked = (0, None);
        let first = self.ask(asked).await?;
        let (began, mut all) = (Instant::now(), Vec::new());
        while all.len() < ASKED_MIN || began.elapsed() < time {
            all.push(self.ask(asked).await?);
        }
        all.sort_unstable();
        Ok(Times { first, all })
    }
}

/// How long answers took.
struct Times {
    first: Duration,
    /// Those behind the first one, sorted; some.
    all: Vec<Duration>,
}

impl Times {
    fn at(&self, share: usize) -> Duration {
        self.all[(self.all.len() - 1) * share / 100]
    }

    /// The cell of a row.
    fn told(&self) -> String {
        let in_ms = |time: Duration| time.as_secs_f64() * 1e3;
        format!(
            "{:.2} / {:.2} ms of {}; the first {:.2} ms",
            in_ms(self.at(50)),
            in_ms(self.at(99)),
            grouped(self.all.len()),
            in_ms(self.first)
        )
    }

    /// What is said of pages that are slower than they may be.
    fn slow(&self, what: &str) -> Option<String> {
        let p99 = self.at(99);
        (p99 >= P99_BELOW).then(|| format!("`{what}`, {:.2} ms", p99.as_secs_f64() * 1e3))
    }
}

/// The whole part.
pub(crate) async fn measure(
    ground: &Ground,
    seeded: Seeded,
    report: &mut Report,
) -> anyhow::Result<()> {
    let facets = facets_path(&seeded.path)?;
    let target = started(ground, FOLDER, seeded, ground.large, &[])?;
    target.catch_up().await?;
    let expected = Expected::of(ground.large)?;
    let mut client = Client {
        target: &target,
        connection: Connection::open(target.running.address).await?,
        walked: (0, None),
    };
    let time = ground.plan.load.time * u32::try_from(ground.plan.rounds)?;
    for (form, found) in FORMS.iter().zip(&expected.found) {
        for is_with_word in [false, true] {
            let query = form.query(is_with_word);
            let sort = form.sort.map(|sort| format!("&sort={sort}"));
            let sort = sort.unwrap_or_default();
            let numbers = found.iter().copied();
            let numbers: Vec<u64> = numbers
                .filter(|number| !is_with_word || has_word(*number))
                .collect();
            ensure!(!numbers.is_empty(), "no record is made for {query}");
            let asked = Asked::Pages {
                path: format!(
                    "{SEARCH}?query={}{sort}&pageSize={PAGE_SIZE}",
                    encoded(&query)
                ),
                numbers: &numbers,
            };
            let times = client.times(&asked, time).await?;
            let what = format!("{query}{sort}");
            report.slow.extend(times.slow(&what));
            let to_reach = format!("p99 < {} ms", P99_BELOW.as_millis());
            report.plain.push(row(ground, &what, &times, &to_reach));
        }
    }
    let queries = [String::new(), format!("?query={WORD}")];
    for (counts, query) in expected.counts.iter().zip(queries) {
        let path = format!("{facets}{query}");
        let times = client.times(&Asked::Counts { path, counts }, time).await?;
        // no page, so nothing is to be reached
        let row = row(ground, &format!("facets{query}"), &times, "–");
        report.plain.push(row);
    }
    report.notes.push(format!(
        "forms: one client on one connection, for {} s each; pages of {PAGE_SIZE} as they follow one another, behind the last one the first again. Codes and totals of all answers are compared with what the records must give. `{WORD}` is in each tenth record. p50 / p99, and before them the first answer, which may put values in order.",
        time.as_secs_f64()
    ));
    drop(client);
    target.running.stop()
}

/// Where values of the dataset are counted.
fn facets_path(records: &str) -> anyhow::Result<String> {
    let (_, rest) = records.split_once("/datasets/").context("no dataset")?;
    let (dataset, _) = rest.split_once('/').context("no dataset")?;
    Ok(format!("/admin/api/v1/datasets/{dataset}/facets"))
}

fn encoded(query: &str) -> String {
    query.replace(' ', "%20").replace('>', "%3E")
}

fn row(ground: &Ground, what: &str, times: &Times, to_reach: &str) -> [String; 6] {
    let none = || "–".to_owned();
    [
        format!("form `{what}`, {} records", grouped(ground.large)),
        none(),
        times.told(),
        none(),
        none(),
        to_reach.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_which_more_than_one_of_a_hundred_are_too_slow_are_named() {
        let of = |slow: usize| {
            let mut all = vec![Duration::from_millis(2); 300 - slow];
            all.extend(vec![P99_BELOW; slow]);
            let first = Duration::from_secs(1);
            Times { first, all }
        };
        assert_eq!(of(3).slow("is:faulty"), None, "what comes first is not one");
        assert_eq!(of(3).told(), "2.00 / 2.00 ms of 300; the first 1000.00 ms");
        let told = of(4).slow("is:faulty");
        assert_eq!(told.as_deref(), Some("`is:faulty`, 20.00 ms"));
        let mut report = Report::default();
        report.judge().unwrap();
        report.slow.extend(told);
        let error = report.judge().unwrap_err().to_string();
        assert_eq!(error, "slower than it may be: `is:faulty`, 20.00 ms");
    }

    #[test]
    fn a_query_stands_in_an_address_and_counts_have_theirs() {
        assert_eq!(encoded("seasonal Stock:>4"), "seasonal%20Stock:%3E4");
        let path = "/v1/businessareas/a/schemas/s/datasets/d/dataobjects";
        let facets = facets_path(path).unwrap();
        assert_eq!(facets, "/admin/api/v1/datasets/d/facets");
    }
}
