//! The section `exports/`: the demo's datasets as `fieldstone export` writes them.

use crate::{normal, server::Demo};
use std::{fs, io, path::Path, process::Command};

/// At most so many lines of a file.
const LINES: usize = 300;
/// The ways in which each dataset is exported, each with the name of its file.
const WAYS: [(&str, &[&str]); 3] = [
    ("csv", &["--as", "csv"]),
    (
        "spreadsheet.csv",
        &[
            "--as",
            "csv",
            "--for-spreadsheets",
            "--split",
            ";",
            "--delimiter",
            "tab",
        ],
    ),
    (
        "faulty.ndjson",
        &[
            "--as",
            "ndjson",
            "--with-ids",
            "--with-errors",
            "--query",
            "is:faulty",
        ],
    ),
];

pub(crate) fn freeze(out: &Path, programs: &Path, demo: &Demo) -> io::Result<()> {
    for dataset in demo.datasets()? {
        for (name, args) in WAYS {
            let told = Command::new(programs.join("fieldstone"))
                .args([
                    "export",
                    "--server",
                    &format!("http://{}", demo.host),
                    &dataset.path,
                ])
                .args(args)
                .env("FIELDSTONE_KEY", &demo.key)
                .output()?;
            if !told.status.success() {
                let error = String::from_utf8_lossy(&told.stderr);
                return Err(io::Error::other(format!(
                    "exporting {}: {error}",
                    dataset.path
                )));
            }
            let text = String::from_utf8_lossy(&told.stdout);
            let text: String = text.split_inclusive('\n').take(LINES).collect();
            let file = out.join(format!("{}.{name}", dataset.name));
            fs::write(file, normal::placeholders(&text))?;
        }
    }
    Ok(())
}
