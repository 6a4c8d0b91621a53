//! The newest job on a dataset, watched while its server is killed and started again, so that it is known, and not guessed,
//! whether a kill met it at work.

use crate::ground::Place;
use crate::http::Client;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::time::{Duration, Instant};

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(2);
/// How long it is looked: a job that fails by what may pass is tried again for minutes.
const WATCH_MAX: Duration = Duration::from_secs(300);

/// A job that has not ended, and how many rows of it are done.
#[derive(Debug)]
pub(crate) struct AtWork {
    id: String,
    rows: u64,
}

/// What was seen of jobs before kills, and behind starts.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Rows that were done of the job when its server was asked for it first.
    rows_before: u64,
    /// The job that its server was seen to get on with.
    seen: Option<String>,
    /// Kills that met a job at work: its server was seen to get on with it, and behind the next start it had not ended.
    pub(crate) met: u64,
    /// Times that a job was found at work behind a start.
    pub(crate) resumed: u64,
}

impl Watch {
    /// Another job is to be asked for.
    pub(crate) fn begin(&mut self) {
        self.rows_before = 0;
    }

    /// Looks at the job of so many rows until so many thousandths of what was left of it are done, or until it or its server is
    /// gone.
    pub(crate) fn look(
        &mut self,
        client: &mut Client,
        place: &Place,
        (rows, thousandths): (u64, u64),
    ) -> anyhow::Result<()> {
        let left = rows.saturating_sub(self.rows_before);
        let enough = self.rows_before + (left * thousandths / 1_000).max(1);
        let (path, began) = (path(place), Instant::now());
        // the kill may come first
        while let Ok(answer) = client.ask("GET", &path, "") {
            let (status, text) = (answer.status, answer.text());
            ensure!(status == 200, "GET {path}: {status} {text}");
            let Some(job) = first_at_work(&answer.json())? else {
                break;
            };
            self.see(&job);
            if job.rows >= enough {
                break;
            }
            let is_long = began.elapsed() > WATCH_MAX;
            ensure!(!is_long, "a job does not get on: {job:?}");
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Notes a job that the server gets on with: the rows that it told of at first are of the one before.
    fn see(&mut self, job: &AtWork) {
        if job.rows > self.rows_before {
            self.seen = Some(job.id.clone());
        }
    }

    /// Counts a job that is at work behind a start.
    pub(crate) fn note_start(&mut self, client: &mut Client, place: &Place) -> anyhow::Result<()> {
        let job = at_work(client, place)?;
        self.count(job.as_ref());
        Ok(())
    }

    fn count(&mut self, at_work: Option<&AtWork>) {
        let seen = self.seen.take();
        let is_met = at_work.is_some_and(|job| seen.as_ref() == Some(&job.id));
        self.met += u64::from(is_met);
        self.resumed += u64::from(at_work.is_some());
        self.rows_before = at_work.map_or(0, |job| job.rows);
    }
}

/// The newest job on a dataset, if it has not ended.
pub(crate) fn at_work(client: &mut Client, place: &Place) -> anyhow::Result<Option<AtWork>> {
    first_at_work(&client.read(&path(place))?)
}

/// Whether it waits or is worked on.
pub(crate) fn is_at_work(job: &Value) -> bool {
    matches!(job["state"].as_str(), Some("queued" | "running"))
}

fn path(place: &Place) -> String {
    format!("/admin/api/v1/jobs?pageSize=1&dataset={}", place.id)
}

/// The first job of a page, if it has not ended.
fn first_at_work(page: &Value) -> anyhow::Result<Option<AtWork>> {
    let jobs = page["items"].as_array().context("a list of jobs")?;
    let Some(job) = jobs.first().filter(|job| is_at_work(job)) else {
        return Ok(None);
    };
    let rows = &job["progress"]["rows"];
    Ok(Some(AtWork {
        id: job["jobId"].as_str().context("an id")?.to_owned(),
        rows: rows.as_u64().context("a count of rows")?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str, rows: u64) -> AtWork {
        let id = id.to_owned();
        AtWork { id, rows }
    }

    #[test]
    fn a_kill_met_a_job_that_got_on_before_it_and_had_not_ended_behind_the_start() {
        let mut watch = Watch::default();
        watch.see(&job("a", 250));
        watch.count(Some(&job("a", 500)));
        assert_eq!((watch.met, watch.resumed), (1, 1));
        // what it was found with, the server before did
        watch.see(&job("a", 500));
        watch.count(Some(&job("a", 500)));
        assert_eq!((watch.met, watch.resumed), (1, 2));
        watch.see(&job("a", 750));
        watch.count(Some(&job("a", 750)));
        assert_eq!((watch.met, watch.resumed), (2, 3));
    }

    #[test]
    fn a_kill_met_no_job_that_waited_or_had_ended_or_is_another_one() {
        let mut watch = Watch::default();
        watch.see(&job("a", 0));
        watch.count(Some(&job("a", 250)));
        assert_eq!((watch.met, watch.resumed), (0, 1));
        watch.see(&job("a", 500));
        watch.count(None);
        watch.count(Some(&job("a", 500)));
        assert_eq!((watch.met, watch.resumed), (0, 2));
        watch.see(&job("a", 750));
        watch.count(Some(&job("b", 250)));
        assert_eq!((watch.met, watch.resumed), (0, 3));
        // another one begins with nothing done
        watch.begin();
        watch.see(&job("c", 250));
        watch.count(Some(&job("c", 250)));
        assert_eq!((watch.met, watch.resumed), (1, 4));
    }

    #[test]
    fn a_job_is_at_work_until_it_has_ended() {
        let found = |state: &str| {
            let job = serde_json::json!({"jobId": "a", "state": state, "progress": {"rows": 5}});
            let page = serde_json::json!({"items": [job]});
            let found = first_at_work(&page).expect("a page of jobs");
            found.map(|job| (job.id, job.rows))
        };
        for state in ["queued", "running"] {
            assert_eq!(found(state), Some(("a".to_owned(), 5)), "{state}");
        }
        let ended = ["done", "failed", "cancelled"].map(found);
        assert_eq!(ended, [None, None, None]);
        let none = first_at_work(&serde_json::json!({"items": []})).expect("a page of jobs");
        assert!(none.is_none());
    }
}
