//! What a proof stands on: a fresh store with two datasets, one for the load and one for jobs, and a key for all of it.

use crate::program::Program;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What the store is to hold. Two more documents change the codes: one less makes records of jobs faulty.
const MANIFEST: &str = include_str!("ground.yaml");
const SCHEMA: &str = include_str!("schema.json");
/// The lines that these leave out.
const RECORDS: &str = "                records: [jobs.ndjson]\n";
const CODE_TO_LEAVE: &str = "          - {code: odd, description: Odd}\n";
/// Records of the dataset of jobs, where a proof asks for no number of its own.
const ROWS: u64 = 4_000;

/// A store, and how it is asked.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) folder: PathBuf,
    pub(crate) data: PathBuf,
    pub(crate) key: String,
    datasets: [Place; 2],
}

/// Where a dataset is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Path of its records.
    pub(crate) records: String,
    /// Path of the dataset's list.
    pub(crate) siblings: String,
    pub(crate) id: String,
    pub(crate) name: &'static str,
}

impl Ground {
    /// Makes a store in the folder `data` of a fresh folder.
    pub(crate) fn make(program: &Program, folder: &Path) -> anyhow::Result<Self> {
        Self::with_job_rows(program, folder, ROWS)
    }

    /// The same with so many records for jobs.
    pub(crate) fn with_job_rows(
        program: &Program,
        folder: &Path,
        rows: u64,
    ) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let data = folder.join("data");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text);
        write("ground.yaml", MANIFEST)?;
        let codes = MANIFEST.replace(RECORDS, "");
        write("more.yaml", &codes)?;
        write("fewer.yaml", &codes.replace(CODE_TO_LEAVE, ""))?;
        write("schema.json", SCHEMA)?;
        write("jobs.ndjson", &job_rows(rows, 0))?;
        let manifest = folder.join("ground.yaml");
        let manifest = manifest.to_str().context("a path in UTF-8")?;
        let applied = program.json(&data, &["apply", manifest])?;
        let key = [
            "key",
            "create",
            "proof",
            "--role",
            "ACCOUNT ADMINISTRATOR",
            "--area",
            "*",
        ];
        let made = program.json(&data, &key)?;
        let key = made["secret"].as_str().context("a key")?.to_owned();
        let id = |what: &str, name: &str| step(&applied, what, name);
        let siblings = format!(
            "/v1/businessareas/{}/schemas/{}/datasets",
            id("area", "Proof")?,
            id("schema", "Item")?
        );
        let place = |name: &'static str| -> anyhow::Result<Place> {
            let id = id("dataset", name)?;
            Ok(Place {
                records: format!("{siblings}/{id}/dataobjects"),
                siblings: siblings.clone(),
                id,
                name,
            })
        };
        Ok(Ground {
            folder: folder.to_owned(),
            datasets: [place("Load")?, place("Jobs")?],
            data,
            key,
        })
    }

    /// The dataset that clients write into.
    pub(crate) fn load(&self) -> &Place {
        &self.datasets[0]
    }

    /// The dataset that jobs change.
    pub(crate) fn jobs(&self) -> &Place {
        &self.datasets[1]
    }

    /// Removes it.
    pub(crate) fn remove(self) -> anyhow::Result<()> {
        std::fs::remove_dir_all(&self.folder).context("the folder stays")
    }
}

/// So many rows of the dataset of jobs, of a turn.
pub(crate) fn job_rows(count: u64, turn: u64) -> String {
    use std::fmt::Write as _;
    let mut rows = String::new();
    for row in 0..count {
        let kind = if row % 2 == 0 { "even" } else { "odd" };
        let line =
            format!(r#"{{"Key":"J{row}","Number":{turn},"Word":"turn{turn}","Kind":"{kind}"}}"#);
        writeln!(rows, "{line}").expect("a text takes it");
    }
    rows
}

fn step(applied: &Value, what: &str, name: &str) -> anyhow::Result<String> {
    let mut steps = applied["steps"].as_array().into_iter().flatten();
    let found = steps.find(|step| step["what"] == what && step["name"] == name);
    let id = found.and_then(|step| step["id"].as_str());
    ensure!(
        id.is_some(),
        "the program told of no {what} {name}: {applied}"
    );
    Ok(id.unwrap_or_default().to_owned())
}
