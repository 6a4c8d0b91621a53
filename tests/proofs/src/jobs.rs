//! Jobs that go on while the server is killed: imports, repairs and judgements anew, one turn after another. While one is
//! under way each record is as before it or as after it; when it is over, each was changed once.

use crate::ground::{Ground, job_rows};
use crate::http::Client;
use crate::program::Program;
use crate::verify::{counters, walk};
use crate::watch::{Watch, at_work, is_at_work};
use anyhow::{Context as _, ensure};
use fastrand::Rng;
use serde_json::Value;
use std::process::{Command, Stdio};

/// Records that they change: so many that a job goes on for a while behind a kill and a start. Of a debug build, which takes longer
/// for each, fewer do.
pub(crate) const ROWS: u64 = if cfg!(debug_assertions) {
    3_000
} else {
    20_000
};
const JOBS: &str = "/admin/api/v1/jobs?pageSize=50";

/// What one turn does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A file changes `Number` and `Word`.
    Import,
    /// A repair sets `Level`.
    Repair,
    /// A code goes, or comes back: every second record is judged anew.
    Revalidation,
}

/// What each record of even, and of odd, number is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    version: u64,
    number: u64,
    level: Option<u64>,
    is_faulty: bool,
}

/// The story of the jobs of one store.
#[derive(Debug)]
pub(crate) struct Jobs {
    turn: u64,
    /// Even and odd rows, when nothing is under way.
    before: [Row; 2],
    under_way: Option<UnderWay>,
    /// The newest job there is on their dataset, before the turn.
    newest: Option<String>,
    /// What kills met of them.
    pub(crate) watch: Watch,
    pub(crate) done: u64,
}

#[derive(Debug)]
struct UnderWay {
    kind: Kind,
    after: [Row; 2],
    /// Whether it was acknowledged.
    is_told: bool,
}

impl Jobs {
    pub(crate) fn new() -> Self {
        let row = Row {
            version: 0,
            number: 0,
            level: None,
            is_faulty: false,
        };
        Jobs {
            turn: 0,
            before: [row.clone(), row],
            under_way: None,
            newest: None,
            watch: Watch::default(),
            done: 0,
        }
    }

    /// Asks for the next turn, if nothing is under way.
    pub(crate) fn begin(
        &mut self,
        program: &Program,
        ground: &Ground,
        client: &mut Client,
        rng: &mut Rng,
    ) -> anyhow::Result<()> {
        if self.under_way.is_some() {
            return Ok(());
        }
        self.turn += 1;
        self.watch.begin();
        let kind = *rng
            .choice(&[
                Kind::Import,
                Kind::Import,
                Kind::Repair,
                Kind::Repair,
                Kind::Revalidation,
            ])
            .context("a choice")?;
        self.under_way = Some(UnderWay {
            kind,
            after: self.after(kind),
            is_told: false,
        });
        let is_told = self.ask(kind, program, ground, client)?;
        if let Some(under_way) = &mut self.under_way {
            under_way.is_told = is_told;
        }
        Ok(())
    }

    fn after(&self, kind: Kind) -> [Row; 2] {
        let mut after = self.before.clone();
        for (index, row) in after.iter_mut().enumerate() {
            match kind {
                Kind::Import => row.number = self.turn,
                Kind::Repair => row.level = Some(self.turn),
                Kind::Revalidation if index == 0 => continue,
                Kind::Revalidation => row.is_faulty = !row.is_faulty,
            }
            row.version += 1;
        }
        after
    }

    /// Whether it was acknowledged.
    fn ask(
        &self,
        kind: Kind,
        program: &Program,
        ground: &Ground,
        client: &mut Client,
    ) -> anyhow::Result<bool> {
        let dataset = format!("/admin/api/v1/datasets/{}", ground.jobs().id);
        let answer = match kind {
            Kind::Import => client.ask_as(
                "POST",
                &format!("{dataset}/imports?mode=update"),
                "application/x-ndjson",
                &job_rows(ROWS, self.turn),
            ),
            Kind::Repair => {
                let body = format!(r#"{{"field":"Level","action":{{"set":{}}}}}"#, self.turn);
                client.ask("POST", &format!("{dataset}/repairs"), &body)
            }
            Kind::Revalidation => {
                let file = if self.before[1].is_faulty {
                    "more.yaml"
                } else {
                    "fewer.yaml"
                };
                let mut apply: Command = program.command(&ground.data);
                apply.arg("apply").arg(ground.folder.join(file));
                // a server that is killed meanwhile leaves the command without an answer, or with the folder
                let status = apply.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
                return Ok(status.success());
            }
        };
        let Ok(answer) = answer else { return Ok(false) };
        if answer.status == 503 {
            return Ok(false);
        }
        ensure!(
            answer.status == 201,
            "{kind:?}: {} {}",
            answer.status,
            answer.text()
        );
        Ok(true)
    }

    /// Ends the turn whose job is over since the records were compared, so that there is another one.
    pub(crate) fn end_if_over(
        &mut self,
        client: &mut Client,
        ground: &Ground,
    ) -> anyhow::Result<()> {
        if self.under_way.is_some() && at_work(client, ground.jobs())?.is_none() {
            self.verify(client, ground)?;
        }
        Ok(())
    }

    /// Compares each record, and ends the turn where its job is over.
    pub(crate) fn verify(&mut self, client: &mut Client, ground: &Ground) -> anyhow::Result<()> {
        // asked first: what is over now is over when the records are read
        let jobs = client.read(JOBS)?;
        let jobs = jobs["items"].as_array().context("a list of jobs")?;
        let is_bad = |job: &&Value| matches!(job["state"].as_str(), Some("failed" | "cancelled"));
        let bad = jobs.iter().find(is_bad);
        ensure!(bad.is_none(), "a job ended early: {bad:?}");
        // a judgement is of the load's dataset, too
        let own = |job: &&Value| job["dataSetId"] == *ground.jobs().id;
        let newest = jobs.iter().find(own);
        let is_working = newest.is_some_and(is_at_work);
        let newest = newest.and_then(|job| job["jobId"].as_str());
        let rows = rows(client, ground)?;
        let Some(under_way) = &self.under_way else {
            return self.compare(&rows, &self.before, "no job");
        };
        let kind = under_way.kind;
        if is_working {
            for (index, row) in rows.iter().enumerate() {
                let (before, after) = (&self.before[index % 2], &under_way.after[index % 2]);
                ensure!(
                    row == before || row == after,
                    "{kind:?}, J{index} is {row:?}, neither {before:?} nor {after:?}"
                );
            }
            return Ok(());
        }
        if newest == self.newest.as_deref() {
            ensure!(
                !under_way.is_told,
                "{kind:?} was acknowledged, and there is no such job"
            );
            self.compare(&rows, &self.before, "nothing was asked")?;
            self.under_way = None;
            return Ok(());
        }
        let after = under_way.after.clone();
        self.compare(&rows, &after, &format!("after {kind:?}"))?;
        let faulty = rows.iter().filter(|row| row.is_faulty).count();
        counters(client, ground.jobs(), ROWS, faulty as u64)?;
        self.newest = newest.map(str::to_owned);
        self.before = after;
        self.under_way = None;
        self.done += 1;
        Ok(())
    }

    fn compare(&self, rows: &[Row], expected: &[Row; 2], what: &str) -> anyhow::Result<()> {
        for (index, row) in rows.iter().enumerate() {
            let expected = &expected[index % 2];
            ensure!(
                row == expected,
                "turn {}, {what}: J{index} is {row:?}, not {expected:?}",
                self.turn
            );
        }
        Ok(())
    }
}

/// Each row, in order.
fn rows(client: &mut Client, ground: &Ground) -> anyhow::Result<Vec<Row>> {
    let mut rows = vec![None; usize::try_from(ROWS)?];
    let count = walk(client, ground.jobs(), |item| {
        let key = item["Key"].as_str().and_then(|key| key.strip_prefix('J'));
        let index: usize = key.context("a key of a row")?.parse()?;
        let row = rows.get_mut(index).context("a row that was never sent")?;
        *row = Some(Row {
            version: item["_version"].as_u64().context("a version")?,
            number: item["Number"].as_u64().context("a number")?,
            level: item["Level"].as_u64(),
            is_faulty: item["_errors"].as_array().is_some_and(|it| !it.is_empty()),
        });
        Ok(())
    })?;
    ensure!(count == ROWS, "{count} of {ROWS} rows of jobs are there");
    rows.into_iter()
        .collect::<Option<Vec<Row>>>()
        .context("a row of jobs is lost")
}
