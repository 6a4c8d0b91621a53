//! One client of the load: it creates, updates, deletes, looks up and searches, on keys of its own, until its server is gone
//! or it is told to end. Whatever it is told goes into its stories.

use crate::ground::Place;
use crate::http::{Answer, Client};
use crate::ledger::{Clock, State, Stories, Story};
use crate::progress::Steps;
use anyhow::{Context as _, bail, ensure};
use fastrand::Rng;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a 503 says of a write that may have been done.
const UNSETTLED: &str = "whether it was done is not known";

/// What the load did, for the report.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Told {
    pub(crate) acknowledged: u64,
    pub(crate) refused: u64,
    pub(crate) unknown: u64,
    pub(crate) reads: u64,
    /// Requests without any answer.
    pub(crate) unanswered: u64,
    /// How long an answer took at most.
    pub(crate) longest_read: Duration,
    pub(crate) longest_write: Duration,
}

impl Told {
    pub(crate) fn add(&mut self, other: Told) {
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        self.unknown += other.unknown;
        self.reads += other.reads;
        self.unanswered += other.unanswered;
        self.longest_read = self.longest_read.max(other.longest_read);
        self.longest_write = self.longest_write.max(other.longest_write);
    }
}

/// The record of a number, as it is sent. Every fifth one is faulty.
fn body(key: &str, number: u64, version: Option<u64>) -> String {
    let version = version.map_or(String::new(), |it| format!(r#""_version":{it},"#));
    let level = if is_faulty(number) { -1 } else { 1 };
    format!(
        r#"{{{version}"Key":"{key}","Number":{number},"Word":"w{number}","Level":{level},"Kind":"even"}}"#
    )
}

/// Whether the record of a number is stored with a fault.
pub(crate) fn is_faulty(number: u64) -> bool {
    number.is_multiple_of(5)
}

/// What all clients of a load share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) place: &'a Place,
    pub(crate) clock: &'a Clock,
    /// The number of the next write.
    pub(crate) numbers: &'a AtomicU64,
    pub(crate) searches: bool,
    pub(crate) disk_fails: bool,
}

/// A client, of one server.
pub(crate) struct Writer<'a> {
    shared: Shared<'a>,
    client: Client,
    rng: Rng,
    stories: &'a mut Stories,
    steps: &'a Steps,
    told: Told,
}

/// What became of a request.
enum Outcome {
    Done(Answer),
    Refused,
    Unknown,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(
        shared: Shared<'a>,
        client: Client,
        seed: u64,
        (stories, steps): (&'a mut Stories, &'a Steps),
    ) -> Self {
        Writer {
            shared,
            client,
            rng: Rng::with_seed(seed),
            stories,
            steps,
            told: Told::default(),
        }
    }

    /// Works until `end` is set or its server is gone; what it was told.
    pub(crate) fn run(mut self, end: &AtomicBool) -> anyhow::Result<Told> {
        while !end.load(Ordering::Relaxed) {
            if !self.turn()? {
                break;
            }
        }
        Ok(self.told)
    }

    /// One request; whether the server is there.
    fn turn(&mut self) -> anyhow::Result<bool> {
        match self.rng.u32(0..100) {
            0..45 => self.create(),
            45..70 => self.update(),
            70..80 => self.delete(),
            95.. if self.shared.searches => self.search(),
            _ => self.look_up(),
        }
    }

    /// One of one's own keys of which it is known what there is.
    fn known(&mut self) -> Option<(String, State)> {
        // the youngest are the ones at stake
        let back = self
            .rng
            .usize(0..40)
            .min(self.stories.len().saturating_sub(1));
        let (key, story) = self.stories.iter().rev().nth(back)?;
        Some((key.clone(), story.known()?.clone()))
    }

    fn create(&mut self) -> anyhow::Result<bool> {
        let number = self.shared.numbers.fetch_add(1, Ordering::Relaxed);
        // a key that is free again is taken again
        let key = match self.known() {
            Some((key, State::Absent)) => key,
            _ => format!("K{number:09}"),
        };
        let after = State::Live {
            id: None,
            version: 0,
            number,
        };
        let path = self.shared.place.records.clone();
        self.write(&key, after, "POST", &path, &body(&key, number, None), 201)
    }

    fn update(&mut self) -> anyhow::Result<bool> {
        let Some((key, State::Live { id, version, .. })) = self.known() else {
            return Ok(true);
        };
        let number = self.shared.numbers.fetch_add(1, Ordering::Relaxed);
        let path = self.path(id.as_deref())?;
        let after = State::Live {
            id,
            version: version + 1,
            number,
        };
        let body = body(&key, number, Some(version));
        self.write(&key, after, "PUT", &path, &body, 204)
    }

    fn delete(&mut self) -> anyhow::Result<bool> {
        let Some((key, State::Live { id, .. })) = self.known() else {
            return Ok(true);
        };
        let path = self.path(id.as_deref())?;
        self.write(&key, State::Absent, "DELETE", &path, "", 204)
    }

    fn path(&self, id: Option<&str>) -> anyhow::Result<String> {
        let id = id.context("a record that is known has its id")?;
        Ok(format!("{}/{id}", self.shared.place.records))
    }

    fn write(
        &mut self,
        key: &str,
        after: State,
        method: &str,
        path: &str,
        body: &str,
        done: u16,
    ) -> anyhow::Result<bool> {
        let sent = self.shared.clock.tick();
        self.story(key).send(sent, after);
        let asked = self.ask(sent, method, path, body);
        let is_there = asked.is_ok();
        let judged = outcome(asked, done, self.shared.disk_fails);
        match judged.with_context(|| format!("{method} {path} {body}"))? {
            Outcome::Done(answer) => {
                let id = answer.json()["_dataObjectId"].as_str().map(str::to_owned);
                ensure!(done != 201 || id.is_some(), "a create told no id");
                let answered = self.shared.clock.tick();
                self.story(key).acknowledge(answered, id);
                self.steps.note_write(sent);
                self.told.acknowledged += 1;
            }
            Outcome::Refused => {
                self.story(key).refuse();
                self.told.refused += 1;
            }
            Outcome::Unknown => self.told.unknown += 1,
        }
        Ok(is_there)
    }

    fn story(&mut self, key: &str) -> &mut Story {
        self.stories.entry(key.to_owned()).or_default()
    }

    /// Asks at a stamp, and notes how long it took.
    fn ask(&mut self, sent: u64, method: &str, path: &str, body: &str) -> anyhow::Result<Answer> {
        let began = Instant::now();
        let asked = self.client.ask(method, path, body);
        let longest = match method {
            "GET" => &mut self.told.longest_read,
            _ => &mut self.told.longest_write,
        };
        *longest = began.elapsed().max(*longest);
        match &asked {
            Ok(_) => self.steps.note_answer(sent),
            Err(_) => self.told.unanswered += 1,
        }
        asked
    }

    fn look_up(&mut self) -> anyhow::Result<bool> {
        let Some((key, state)) = self.known() else {
            return Ok(true);
        };
        let path = format!("{}/by-pk/{key}", self.shared.place.records);
        let Ok(answer) = self.ask(self.shared.clock.now(), "GET", &path, "") else {
            return Ok(false);
        };
        self.told.reads += 1;
        match (answer.status, &state) {
            (404, State::Absent) => {}
            (status, _) if is_excused(status, self.shared.disk_fails) => {}
            (200, State::Live { number, .. }) if answer.json()["Number"] == *number => {}
            (status, _) => bail!(
                "{key} is {state:?}, and its look-up {status} {}",
                answer.text()
            ),
        }
        Ok(true)
    }

    fn search(&mut self) -> anyhow::Result<bool> {
        let Some((key, State::Live { id, number, .. })) = self.known() else {
            return Ok(true);
        };
        let path = search_path(self.shared.place, number);
        let Ok(answer) = self.ask(self.shared.clock.now(), "GET", &path, "") else {
            return Ok(false);
        };
        self.told.reads += 1;
        let found = answer.json();
        let is_found = found["hits"][0]["_dataObjectId"].as_str() == id.as_deref();
        ensure!(
            is_excused(answer.status, self.shared.disk_fails) || (answer.status == 200 && is_found),
            "{key} with {number} is not found by its word: {found}"
        );
        Ok(true)
    }
}

/// Where the record of a number is found by its word.
pub(crate) fn search_path(place: &Place, number: u64) -> String {
    format!(
        "/v1/dataobjects/search?query=Word:w{number}&dataSet={}",
        place.name
    )
}

/// Whether a request may go without what it asked for: 503 says so and when to come again, 500 is a fault of the service, for
/// which only a disk that fails is an excuse.
fn is_excused(status: u16, disk_fails: bool) -> bool {
    status == 503 || (disk_fails && status == 500)
}

fn outcome(asked: anyhow::Result<Answer>, done: u16, disk_fails: bool) -> anyhow::Result<Outcome> {
    let Ok(answer) = asked else {
        return Ok(Outcome::Unknown);
    };
    match answer.status {
        status if status == done => Ok(Outcome::Done(answer)),
        // a database that went away in a commit
        503 if answer.text().contains(UNSETTLED) => Ok(Outcome::Unknown),
        // said before anything was done, or that nothing was; a server that only reads says 403
        403 | 503 => Ok(Outcome::Refused),
        500 if disk_fails => Ok(Outcome::Unknown),
        status => bail!("answered with {status}: {}", answer.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is held of a create that was answered so.
    fn of_create(status: u16, text: &str, disk_fails: bool) -> anyhow::Result<Outcome> {
        let body = text.as_bytes().to_vec();
        outcome(Ok(Answer { status, body }), 201, disk_fails)
    }

    #[test]
    fn a_fault_of_the_service_ends_the_proof_unless_its_disk_fails() {
        assert!(of_create(500, "{}", false).is_err());
        assert!(!is_excused(500, false) && is_excused(503, false));
        assert!(matches!(of_create(500, "{}", true), Ok(Outcome::Unknown)));
        assert!(is_excused(500, true) && !is_excused(404, true));
    }

    #[test]
    fn a_write_of_which_nothing_is_known_is_told_apart_from_one_that_was_refused() {
        assert!(matches!(of_create(201, "{}", false), Ok(Outcome::Done(_))));
        assert!(matches!(of_create(503, "{}", false), Ok(Outcome::Refused)));
        assert!(matches!(of_create(403, "{}", false), Ok(Outcome::Refused)));
        let unsettled = of_create(503, UNSETTLED, false);
        assert!(matches!(unsettled, Ok(Outcome::Unknown)));
        let silent = outcome(Err(anyhow::anyhow!("it broke off")), 201, false);
        assert!(matches!(silent, Ok(Outcome::Unknown)));
    }
}
