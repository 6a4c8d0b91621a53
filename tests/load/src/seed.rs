//! A fresh data folder with the records in it, made by the program's own `apply`, as an operator would.

use crate::records::{Record, SCHEMA};
use anyhow::{Context as _, ensure};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a manifest begins: a tenant with one dataset. What it has and who comes to it follows.
pub(crate) const DATASET: &str = "\
tenants:
  - name: Load
    areas:
      - name: Load
        schemas:
          - document: schema.json
            datasets:
              - name: Products";

const RECORDS_AND_KEY: &str = "
                records: [records.ndjson]
    roles:
      - name: Load
        permissions:
          DATA OBJECTS: [view, add, edit, delete]
          DATASET OBJECTS SEARCH: [view]
    apiKeys:
      - name: load
        roles: [Load]
        areas: {Load: [view, add, edit, delete]}
";

/// What is loaded: so many records of a schema, each made of its number.
#[derive(Clone, Copy)]
pub(crate) struct Content<'c> {
    /// A schema-detail document.
    pub(crate) schema: &'c str,
    pub(crate) records: u64,
    /// Makes a record the one of a number.
    pub(crate) make: fn(&mut Record<String>, u64),
}

impl Content<'static> {
    /// The clean records of most rows.
    pub(crate) fn clean(records: u64) -> Self {
        Content {
            schema: SCHEMA,
            records,
            make: Record::become_number,
        }
    }
}

/// Where the records are, and what opens the door to them.
#[derive(Clone)]
pub(crate) struct Seeded {
    pub(crate) path: String,
    pub(crate) key: String,
    /// How long `apply` took.
    pub(crate) took: Duration,
}

#[derive(Deserialize)]
struct Applied {
    steps: Vec<Step>,
    records: Vec<Loaded>,
}

#[derive(Deserialize)]
struct Step {
    what: String,
    name: String,
    id: Option<String>,
    secret: Option<String>,
}

#[derive(Deserialize)]
struct Loaded {
    created: u64,
}

/// The command, without settings from the surroundings, on a data folder or on a database.
pub(crate) fn fieldstone(program: &Path, folder: &Path, database: Option<&str>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("FIELDSTONE_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).env("FIELDSTONE_DATA", "data");
    if let Some(address) = database {
        command.env("FIELDSTONE_DATABASE", address);
    }
    command
}

/// Fills the data folder `data` in a new `folder`, or a database.
pub(crate) fn seed(
    program: &Path,
    folder: &Path,
    database: Option<&str>,
    content: Content<'_>,
) -> anyhow::Result<Seeded> {
    let records = content.records;
    std::fs::create_dir(folder)?;
    let manifest = format!("{DATASET}{RECORDS_AND_KEY}");
    std::fs::write(folder.join("load.yaml"), manifest)?;
    std::fs::write(folder.join("schema.json"), content.schema)?;
    write_records(&folder.join("records.ndjson"), content)?;
    let began = Instant::now();
    let output = fieldstone(program, folder, database)
        .args(["--log", "error", "apply", "load.yaml", "--format", "json"])
        .stderr(Stdio::inherit())
        .output()
        .context("can't start the program")?;
    ensure!(output.status.success(), "the records could not be loaded");
    let took = began.elapsed();
    std::fs::remove_file(folder.join("records.ndjson"))?;
    let applied: Applied = serde_json::from_slice(&output.stdout)?;
    let created: u64 = applied.records.iter().map(|file| file.created).sum();
    ensure!(
        created == records,
        "{created} of {records} records were loaded"
    );
    let step = |what: &str, name: &str| {
        let mut steps = applied.steps.iter();
        let found = steps.find(|step| step.what == what && step.name == name);
        found.with_context(|| format!("the program told of no {what} {name}"))
    };
    let id = |what, name| {
        step(what, name)?
            .id
            .as_deref()
            .context("a step without its id")
    };
    let path = format!(
        "/v1/businessareas/{}/schemas/{}/datasets/{}/dataobjects",
        id("area", "Load")?,
        id("schema", "Product")?,
        id("dataset", "Products")?
    );
    let key = step("API key", "load")?.secret.clone();
    let key = key.context("the program told of no secret")?;
    Ok(Seeded { path, key, took })
}

fn write_records(path: &Path, content: Content<'_>) -> anyhow::Result<()> {
    let mut lines = BufWriter::new(File::create(path)?);
    let mut record = Record::default();
    for number in 0..content.records {
        (content.make)(&mut record, number);
        serde_json::to_writer(&mut lines, &record)?;
        lines.write_all(b"\n")?;
    }
    lines.into_inner()?.sync_data()?;
    Ok(())
}
