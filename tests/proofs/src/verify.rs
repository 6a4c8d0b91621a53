//! Compares what a service shows with what its clients were told: every record, the counters, look-ups, searches.

use crate::ground::Place;
use crate::http::Client;
use crate::ledger::State;
use crate::writer::{is_faulty, search_path};
use crate::writers::{Ledger, all};
use anyhow::{Context as _, ensure};
use fastrand::Rng;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Records that are looked up by key, and searched by word, besides those that were open.
const LOOK_UPS: usize = 60;
const SEARCHES: usize = 12;

/// What is there, by key.
pub(crate) type Found = BTreeMap<String, State>;

/// Reads every record of a dataset, page by page; none may come twice.
pub(crate) fn walk(
    client: &mut Client,
    place: &Place,
    mut each: impl FnMut(&Value) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let (mut ids, mut next) = (BTreeSet::new(), String::new());
    loop {
        let page = client.read(&format!("{}?pageSize=1000{next}", place.records))?;
        for item in page["items"].as_array().context("a page has items")? {
            let id = item["_dataObjectId"].as_str().context("a record's id")?;
            ensure!(
                ids.insert(id.to_owned()),
                "a walk has a record twice: {item}"
            );
            each(item)?;
        }
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => return Ok(ids.len() as u64),
        }
    }
}

/// A record, as a state of the ledger; it must be what its number says.
fn state(item: &Value) -> anyhow::Result<State> {
    let number = item["Number"].as_u64().context("a number")?;
    ensure!(
        item["Word"] == format!("w{number}"),
        "a record of two writes: {item}"
    );
    let faults = item["_errors"].as_array().map_or(0, Vec::len);
    ensure!(
        (faults > 0) == is_faulty(number),
        "faults that are not its own: {item}"
    );
    Ok(State::Live {
        id: item["_dataObjectId"].as_str().map(str::to_owned),
        version: item["_version"].as_u64().context("a version")?,
        number,
    })
}

/// Everything that is there.
pub(crate) fn found(client: &mut Client, place: &Place) -> anyhow::Result<Found> {
    let mut found = Found::new();
    walk(client, place, |item| {
        let key = item["Key"].as_str().context("a key")?.to_owned();
        let state = state(item)?;
        let twice = found.insert(key, state);
        ensure!(twice.is_none(), "two records of one key: {item}");
        Ok(())
    })?;
    Ok(found)
}

/// Fails unless the counters of a dataset are so.
pub(crate) fn counters(
    client: &mut Client,
    place: &Place,
    records: u64,
    faulty: u64,
) -> anyhow::Result<()> {
    let list = client.read(&place.siblings)?;
    let mut items = list["items"].as_array().into_iter().flatten();
    let item = items.find(|item| item["dataSetId"] == *place.id);
    let item = item.context("the dataset is not listed")?;
    ensure!(
        item["recordCount"] == records && item["erroredRecordsCount"] == faulty,
        "counted {records} records and {faulty} faulty ones, the service tells {item}"
    );
    Ok(())
}

/// What was found to be as it was told.
#[derive(Debug)]
pub(crate) struct Verified {
    pub(crate) records: u64,
    /// What became of the writes that nobody was told of.
    pub(crate) open: Vec<(String, State)>,
}

/// Fails unless all is as it was told, when the world ended behind a stamp.
pub(crate) fn verify(
    client: &mut Client,
    place: &Place,
    ledger: &Ledger,
    at: u64,
    rng: &mut Rng,
) -> anyhow::Result<Verified> {
    let mut found = found(client, place)?;
    let records = found.len() as u64;
    let faulty = found.values().filter(|state| has_fault(state)).count();
    let (mut open, mut sound) = (Vec::new(), Vec::new());
    for (key, story) in all(ledger) {
        let state = found.remove(key).unwrap_or(State::Absent);
        let allowed = story.allowed(at);
        ensure!(
            story.allows(at, &state),
            "{key} is {state:?}, which may only be one of {allowed:?}"
        );
        let some = if allowed.len() > 1 {
            &mut open
        } else {
            &mut sound
        };
        some.push((key.clone(), state));
    }
    ensure!(
        found.is_empty(),
        "records that nobody was told of: {found:?}"
    );
    counters(client, place, records, faulty as u64)?;
    rng.shuffle(&mut sound);
    for (key, state) in open.iter().chain(sound.iter().take(LOOK_UPS)) {
        look_up(client, place, key, state)?;
    }
    for (key, state) in open.iter().chain(sound.iter().take(SEARCHES)) {
        search(client, place, key, state)?;
    }
    replaced(client, place, ledger, at, rng)?;
    Ok(Verified { records, open })
}

fn has_fault(state: &State) -> bool {
    matches!(state, State::Live { number, .. } if is_faulty(*number))
}

fn look_up(client: &mut Client, place: &Place, key: &str, state: &State) -> anyhow::Result<()> {
    let answer = client.ask("GET", &format!("{}/by-pk/{key}", place.records), "")?;
    let seen = match answer.status {
        200 => self::state(&answer.json())?,
        404 => State::Absent,
        status => anyhow::bail!("{key}: {status} {}", answer.text()),
    };
    ensure!(seen == *state, "{key} is listed as {state:?}, not {seen:?}");
    Ok(())
}

fn search(client: &mut Client, place: &Place, key: &str, state: &State) -> anyhow::Result<()> {
    let State::Live { id, number, .. } = state else {
        return Ok(());
    };
    let found = client.read(&search_path(place, *number))?;
    let is_it = found["total"] == 1 && found["hits"][0]["_dataObjectId"].as_str() == id.as_deref();
    ensure!(is_it, "{key} with {state:?} is searched, found {found}");
    Ok(())
}

/// What a later write replaced is not found any more.
fn replaced(
    client: &mut Client,
    place: &Place,
    ledger: &Ledger,
    at: u64,
    rng: &mut Rng,
) -> anyhow::Result<()> {
    let stories = all(ledger);
    let mut old: Vec<u64> = stories.flat_map(|(_, story)| story.replaced(at)).collect();
    rng.shuffle(&mut old);
    for number in old.into_iter().take(SEARCHES) {
        let found = client.read(&search_path(place, number))?;
        ensure!(
            found["total"] == 0,
            "a value that was replaced is found: {found}"
        );
    }
    Ok(())
}
