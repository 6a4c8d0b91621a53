//! What is in the store whose pages are asked for: a large dataset, and a hundred of most things beside it.

use crate::forms::{become_faulty, schema};
use crate::import::write_lines_of;
use crate::seed::{DATASET, fieldstone};
use anyhow::{Context as _, ensure};
use std::fmt::Write as _;
use std::path::Path;

/// Datasets without records beside the large one, which home has on it, and as many areas, roles, keys, clients and others.
pub(super) const OTHERS: u32 = 99;
pub(super) const USERNAME: &str = "steward";
pub(super) const PASSWORD: &str = "wharf lantern 83 otter";
const STEWARD: &str = "
    users:
      - username: steward
        email: steward@example.com
        password: wharf lantern 83 otter
        roles: [ACCOUNT ADMINISTRATOR]
        areas: {Load: [view, add, edit, delete]}";
/// One of several; `NN` is its number. Each webhook is off, so that nothing is sent meanwhile.
const SHELF: &str = "
              - name: Shelf NN";
const AREA: &str = "
      - name: Area NN";
const DOMAIN: &str = "
      - name: Domain NN
        codes: [{code: S, description: small}, {code: L, description: large}]";
const ROLE: &str = "
      - name: Role NN
        permissions:
          DATA OBJECTS: [view]";
const KEY: &str = "
      - name: Key NN
        roles: [Role NN]
        areas: {Load: [view]}";
const CLIENT: &str = "
      - name: Client NN
        roles: [Role NN]
        areas: {Load: [view]}";
const HOOK: &str = "
      - name: Hook NN
        url: https://example.org/NN
        datasets: [Load/Product/Shelf NN]
        active: false";
/// The domain with many codes, and how many it has.
const LARGE_DOMAIN: &str = "
      - name: Domain 00
        codes:";
const CODES: u32 = 100;

/// What is there beside the records.
fn manifest() -> String {
    let several = |one: &str| {
        let all = (1..=OTHERS).map(|number| one.replace("NN", &format!("{number:02}")));
        all.collect::<String>()
    };
    let codes = (1..=CODES).fold(String::new(), |mut codes, number| {
        // a text takes all there is
        let _ = write!(
            codes,
            "\n          - {{code: C{number}, description: the code of number {number}}}"
        );
        codes
    });
    [
        DATASET,
        &several(SHELF),
        &several(AREA),
        "\n    domains:",
        LARGE_DOMAIN,
        &codes,
        &several(DOMAIN),
        STEWARD,
        "\n    roles:",
        &several(ROLE),
        "\n    apiKeys:",
        &several(KEY),
        "\n    clients:",
        &several(CLIENT),
        "\n    webhooks:",
        &several(HOOK),
        "\n",
    ]
    .concat()
}

/// Makes all but the records.
pub(super) fn make(program: &Path, folder: &Path) -> anyhow::Result<()> {
    std::fs::write(folder.join("load.yaml"), manifest())?;
    std::fs::write(folder.join("schema.json"), schema()?)?;
    let what = "the dataset could not be made";
    run(program, folder, &["apply", "load.yaml"], what)
}

/// Imports the records.
pub(super) fn import(program: &Path, folder: &Path, records: u64) -> anyhow::Result<()> {
    let rows = folder.join("rows.ndjson");
    write_lines_of(&rows, records, become_faulty)?;
    let arguments = ["import", "rows.ndjson", "--into", "Load/Product/Products"];
    run(
        program,
        folder,
        &arguments,
        "the records could not be imported",
    )?;
    Ok(std::fs::remove_file(rows)?)
}

fn run(program: &Path, folder: &Path, arguments: &[&str], what: &str) -> anyhow::Result<()> {
    let command = fieldstone(program, folder, None)
        .args(["--log", "error"])
        .args(arguments)
        .output()
        .context("can't start the program")?;
    let told = String::from_utf8_lossy(&command.stderr).into_owned();
    ensure!(command.status.success(), "{what}: {told}");
    Ok(())
}
