//! Rows about searching: a word that one record of many has, and a word that each eighth has, beside a bare server that
//! asks the same file the same and answers the same bytes.

use crate::client::Connection;
use crate::digits::grouped;
use crate::ground::{Ground, bare_searcher, service, stop};
use crate::records::{WORDS, code, spread};
use crate::report::{Compared, Line, Report};
use crate::scenario::Scenario;
use crate::searches::{KnownSearch, SEARCH, count, opened, write};
use crate::seed::Seeded;
use crate::target::Target;
use crate::turns::{Turn, in_turns, two};
use anyhow::ensure;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many rare words are asked for, at random.
const RARE: u64 = 1_000;
/// The numbers of the fields in the index: their order in the schema.
const CODE: u32 = 0;
const NAME: u32 = 1;
const DATASET: &str = "SELECT place >> 40 FROM facts LIMIT 1";

#[derive(Deserialize)]
struct Hits {
    total: i64,
}

/// A word in a field: by its name, and by its number in the index.
struct Asked {
    field: &'static str,
    column: u32,
    word: String,
}

/// Has the service answer searches, and holds each against the index.
async fn answered(
    service: &Target,
    index: &Path,
    asked: &[Asked],
) -> anyhow::Result<Vec<KnownSearch>> {
    let index = opened(index)?;
    let dataset: u32 = index.query_row(DATASET, [], |row| row.get(0))?;
    let mut connection = Connection::open(service.running.address).await?;
    let mut known = Vec::with_capacity(asked.len());
    for Asked {
        field,
        column,
        word,
    } in asked
    {
        let query = format!("query={field}:{word}");
        let request = service.request("GET", &format!("{SEARCH}?{query}"), None);
        let body = connection.expect(200, &request).await?;
        let hits: Hits = serde_json::from_slice(body)?;
        let text = format!(
            "{{c{column} }} : \"{dataset:x}_{}\"",
            word.to_ascii_lowercase()
        );
        let found = count(&index, &text)?;
        ensure!(
            found > 0 && found == hits.total,
            "the index has {found} hits for {query}, the service {}",
            hits.total
        );
        known.push(KnownSearch {
            query,
            text,
            answer: std::str::from_utf8(body)?.to_owned(),
        });
    }
    Ok(known)
}

/// Searches for rare words and for common ones, which the service on the large dataset has answered.
pub(crate) async fn known(
    ground: &Ground,
    service: &Target,
) -> anyhow::Result<[Vec<KnownSearch>; 2]> {
    let index = index(ground);
    let rare = (0..RARE).map(|number| Asked {
        field: "Code",
        column: CODE,
        word: code(spread(number) % ground.large),
    });
    let common = WORDS.iter().map(|word| Asked {
        field: "Name",
        column: NAME,
        word: (*word).to_owned(),
    });
    Ok([
        answered(service, &index, &rare.collect::<Vec<_>>()).await?,
        answered(service, &index, &common.collect::<Vec<_>>()).await?,
    ])
}

/// The index of the large dataset.
fn index(ground: &Ground) -> PathBuf {
    ground.folder.join("large").join("data").join("search.db")
}

pub(crate) async fn measure(
    ground: &Ground,
    large: Seeded,
    report: &mut Report,
) -> anyhow::Result<()> {
    let path = large.path.clone();
    let mut ours = service(ground, "large", large, ground.large, 0, &[]).await?;
    let [rare, common] = known(ground, &ours).await?;
    let file = ground.folder.join("searches");
    write(&file, &[rare.as_slice(), common.as_slice()].concat())?;
    let mut bare = bare_searcher(ground, &index(ground), &file, path)?;
    if let Some(ours) = Arc::get_mut(&mut ours) {
        ours.know([&rare, &common]);
    }
    bare.know([&rare, &common]);
    let bare = Arc::new(bare);
    let records = grouped(ground.large);
    for scenario in [Scenario::SearchRare, Scenario::SearchCommon] {
        let turns = [Turn::of(&ours), Turn::of(&bare)];
        let [ours, theirs] = two(in_turns(&turns, scenario, &ground.plan).await?)?;
        report.lines.push(Line {
            what: format!("{}, {records} records", scenario.name()),
            baseline: "bare axum, the same query".to_owned(),
            ours,
            theirs,
            compared: Compared::Rate,
            to_reach: "≥ 0.7",
        });
    }
    stop(ours)?;
    stop(bare)
}
