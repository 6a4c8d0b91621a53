//! The parts of `messages/` that the generator writes: problems of bad schemas, and faults of sampled records.

use std::{fs, io, path::Path, process::Command};

/// The last member of an object, as it is written.
fn member<'a>(object: &'a str, name: &str) -> io::Result<&'a str> {
    let (value, _) = object
        .split_once(name)
        .and_then(|(_, rest)| rest.rsplit_once('}'))
        .ok_or_else(|| io::Error::other(format!("{object} has no {name}")))?;
    Ok(value)
}

/// Every `*.json` of a folder, in order.
pub(crate) fn files(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "json") {
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            files.push((name, fs::read_to_string(path)?));
        }
    }
    files.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(files)
}

pub(crate) fn freeze(out: &Path, programs: &Path, fixtures: &Path) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let generator = fs::canonicalize(programs.join("generator"))?;
    let run = |args: &[&str]| -> io::Result<String> {
        let told = Command::new(&generator)
            .args(args)
            .current_dir(&folder)
            .output()?;
        let [out, error] =
            [told.stdout, told.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
        Ok(format!("{}\n{out}{error}", told.status))
    };
    fs::create_dir_all(out.join("problems"))?;
    for (name, bad) in files(&fixtures.join("schemas/bad"))? {
        // each file holds the schema after what its test expects; some have numbers that no parser here reads
        let schema = member(&bad, "\"schema\": ")?;
        fs::write(folder.path().join("bad.json"), schema)?;
        let text = run(&["lint", "bad.json"])? + &run(&["lint", "--format", "json", "bad.json"])?;
        fs::write(out.join("problems").join(format!("{name}.txt")), text)?;
    }
    fs::create_dir_all(out.join("faults"))?;
    for (name, schema) in files(&fixtures.join("schemas"))? {
        fs::write(folder.path().join("schema.json"), schema)?;
        let lints = run(&["lint", "--format", "json", "schema.json"])?;
        let samples = Command::new(&generator)
            .args(["sample", "--breaking", "schema.json"])
            .current_dir(&folder)
            .output()?;
        let mut records = String::new();
        for line in String::from_utf8_lossy(&samples.stdout).lines() {
            records += member(line, "\"record\":")?;
            records.push('\n');
        }
        fs::write(folder.path().join("records.ndjson"), records)?;
        let faults = run(&[
            "validate",
            "--format",
            "json",
            "schema.json",
            "records.ndjson",
        ])?;
        fs::write(
            out.join("faults").join(format!("{name}.txt")),
            lints + &faults,
        )?;
    }
    Ok(())
}
