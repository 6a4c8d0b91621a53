//! Schema files of fetched schemas, and beside them the list of where each came from. A file that
//! holds something else is never overwritten.

use super::download::Download;
use super::error::FetchError;
use crate::atomic_write;
use schema::json::{Value, parse};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The list: a line for each file, its parts separated by tabs.
const SOURCES: &str = "fieldstone.sources";
const HEAD: &str =
    "# Where the schema files of this directory were fetched: file, address, schemaId, version.\n";

/// Writes what changed, and answers a line for each file.
pub(crate) fn save(dir: &Path, downloads: &[Download]) -> Result<Vec<String>, FetchError> {
    fs::create_dir_all(dir).map_err(|error| file_error("create", dir, &error))?;
    let _held = atomic_write::hold(dir).map_err(|error| file_error("lock", dir, &error))?;
    let names = names(downloads);
    // all of them first, so that nothing is written when one can't be
    let before = downloads
        .iter()
        .zip(&names)
        .map(|(schema, name)| own_text(&dir.join(name), schema));
    let before = before.collect::<Result<Vec<_>, _>>()?;
    atomic_write::sweep(dir, names.iter().map(String::as_str).chain([SOURCES]))
        .map_err(|error| file_error("clean up", dir, &error))?;
    let mut report = Vec::new();
    for ((schema, file), before) in downloads.iter().zip(&names).zip(before) {
        let verb = if before.as_ref() == Some(&schema.text) {
            "unchanged"
        } else {
            replace(dir, file, &schema.text)?;
            "wrote"
        };
        let (path, name) = (dir.join(file), &schema.name);
        let (path, version) = (path.display(), &schema.version);
        // a name may hold what a terminal takes for a command
        let name = name.replace(char::is_control, " ");
        report.push(format!("{verb} {path} ({name}, version {version})"));
    }
    update_sources(dir, &names, downloads)?;
    Ok(report)
}

/// A file's name for each schema: its display name, and its id too where two would be the same; a number
/// where even that is taken.
fn names(downloads: &[Download]) -> Vec<String> {
    let plain: Vec<String> = downloads.iter().map(|schema| slug(&schema.name)).collect();
    let mut names: Vec<String> = Vec::new();
    for (own, schema) in plain.iter().zip(downloads) {
        let is_alone = plain.iter().filter(|other| *other == own).count() == 1;
        let with_id = format!("{own}_{}", slug(&schema.id));
        let numbered = (2..).map(|number| format!("{with_id}_{number}.json"));
        let mut possible = is_alone
            .then(|| format!("{own}.json"))
            .into_iter()
            .chain([format!("{with_id}.json")])
            .chain(numbered);
        // INVARIANT: the numbers have no end
        names.extend(possible.find(|name| !names.contains(name)));
    }
    names
}

/// A text as a file's name: words in lower case, joined by underscores.
fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    match out.trim_end_matches('_') {
        "" => "schema".to_owned(),
        name => name.chars().take(60).collect(),
    }
}

/// The text of the file, if it is an older one of this schema or is not there.
fn own_text(path: &Path, schema: &Download) -> Result<Option<String>, FetchError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file_error("read", path, &error)),
    };
    let root = parse(&text).ok();
    let id = root.as_ref().and_then(|root| root.get("schemaId"));
    match id.map(|node| &node.value) {
        Some(Value::String(id)) if *id == schema.id => {}
        _ => {
            return Err(FetchError::new(
                format!(
                    "{} is there and holds something else than the schema {:?}",
                    path.display(),
                    schema.name
                ),
                "name another directory by --dir, or move the file away",
            ));
        }
    }
    drop(root);
    Ok(Some(text))
}

/// Brings the list of sources up to date; lines of other files stay.
fn update_sources(dir: &Path, names: &[String], downloads: &[Download]) -> Result<(), FetchError> {
    let path = dir.join(SOURCES);
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(file_error("read", &path, &error)),
    };
    let mut lines = BTreeMap::new();
    for line in before.lines().filter(|line| !line.starts_with('#')) {
        if let Some((name, rest)) = line.split_once('\t') {
            lines.insert(name.to_owned(), rest.to_owned());
        }
    }
    for (
        name,
        Download {
            address,
            id,
            version,
            ..
        },
    ) in names.iter().zip(downloads)
    {
        lines.insert(name.clone(), format!("{address}\t{id}\t{version}"));
    }
    let mut after = HEAD.to_owned();
    for (name, rest) in lines {
        after.extend([&name, "\t", &rest, "\n"]);
    }
    if after == before {
        Ok(())
    } else {
        replace(dir, SOURCES, &after)
    }
}

fn replace(dir: &Path, name: &str, text: &str) -> Result<(), FetchError> {
    atomic_write::replace(dir, name, text)
        .map_err(|error| file_error("write", &dir.join(name), &error))
}

fn file_error(action: &str, path: &Path, error: &std::io::Error) -> FetchError {
    let help = "may this user write there, and is there room?";
    FetchError::new(format!("can't {action} {}: {error}", path.display()), help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn download(id: &str, name: &str, version: &str) -> Download {
        Download {
            address: format!("http://h/v1/businessareas/a/schemas/{id}"),
            id: id.to_owned(),
            name: name.to_owned(),
            version: version.to_owned(),
            text: format!("{{\"schemaId\":\"{id}\",\"version\":{version}}}"),
        }
    }

    #[test]
    fn file_names_are_words_and_never_the_same_twice() {
        let all = [
            ("s1", "Product Data-Sheet"),
            ("s2", "../etc"),
            ("s3", "Größe"),
            ("s4", "größe"),
            ("s5", "§"),
            ("X", "twin"),
            ("x", "Twin"),
            ("s6", "Größe S3"),
        ];
        let all: Vec<_> = all
            .iter()
            .map(|(id, name)| download(id, name, "1"))
            .collect();
        let expected = [
            "product_data_sheet.json",
            "etc.json",
            "größe_s3.json",
            "größe_s4.json",
            "schema.json",
            "twin_x.json",
            "twin_x_2.json",
            "größe_s3_s6.json",
        ];
        assert_eq!(names(&all), expected);
    }

    #[test]
    fn files_keep_their_sources_and_are_written_only_when_they_change() {
        let dir = tempfile::tempdir().unwrap();
        let both = [download("s1", "City", "1"), download("s2", "Land", "7")];
        assert!(
            save(dir.path(), &both)
                .unwrap()
                .iter()
                .all(|line| line.starts_with("wrote "))
        );
        let report = save(dir.path(), &[download("s1", "City", "2")]).unwrap();
        assert!(report[0].starts_with("wrote ") && report[0].ends_with("(City, version 2)"));
        let report = save(dir.path(), &[download("s3", "Sea\u{1b}[2J", "1")]).unwrap();
        assert!(!report[0].contains('\u{1b}'), "{report:?}");
        let report = save(dir.path(), &both[1..]).unwrap();
        assert!(report[0].starts_with("unchanged "), "{report:?}");
        let sources = fs::read_to_string(dir.path().join(SOURCES)).unwrap();
        let lines: Vec<_> = sources.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "city.json\thttp://h/v1/businessareas/a/schemas/s1\ts1\t2",
                "land.json\thttp://h/v1/businessareas/a/schemas/s2\ts2\t7",
                "sea_2j.json\thttp://h/v1/businessareas/a/schemas/s3\ts3\t1",
            ]
        );
    }

    #[test]
    fn a_file_of_something_else_stops_everything() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("land.json"), "{\"schemaId\":\"other\"}").unwrap();
        let both = [download("s1", "City", "1"), download("s2", "Land", "7")];
        assert!(save(dir.path(), &both).is_err());
        assert!(!dir.path().join("city.json").exists());
    }
}
