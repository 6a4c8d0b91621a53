//! Schema files of fetched schemas, and beside them the list of where each came from. A schema stays in the file that it
//! is listed in, whatever it is called by now. A file that holds something else is never overwritten. How a file is laid
//! out is no difference: one of a single line gets line breaks when it is saved.

use super::download::Download;
use super::error::FetchError;
use super::layout::laid_out;
use super::names::{names, slug};
use super::sources::{SOURCES, Sources};
use crate::findings::Finding;
use generator::Change;
use generator::atomic_write;
use schema::json::{Value, parse, unmarked};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// What becomes of a directory.
struct Plan {
    /// The file of each schema.
    names: Vec<String>,
    /// What each is to hold.
    texts: Vec<String>,
    /// Their texts on disk, and that of the list behind them.
    before: Vec<Option<String>>,
    /// The list with these schemas.
    sources: String,
    /// Notes on listed files that are of none of them.
    left: Vec<Finding>,
}

impl Plan {
    /// `whole` is the base address of the service, where all of its schemas were fetched.
    fn of(dir: &Path, downloads: &[Download], whole: Option<&str>) -> Result<Self, FetchError> {
        let sources = Sources::read(dir)?;
        let names = names(downloads, |schema| listed(dir, &sources, schema));
        let before = downloads
            .iter()
            .zip(&names)
            .map(|(schema, name)| own_text(&dir.join(name), schema));
        let mut before = before.collect::<Result<Vec<_>, _>>()?;
        before.push(sources.text.clone());
        Ok(Plan {
            left: left(dir, &sources, &names, downloads, whole),
            sources: sources.with(&names, downloads),
            texts: downloads.iter().map(|it| laid_out(&it.text)).collect(),
            names,
            before,
        })
    }
}

/// Writes what changed, and answers a note on each file. `whole` is the base address of the service, where all of its
/// schemas were fetched.
pub(crate) fn save(
    dir: &Path,
    downloads: &[Download],
    whole: Option<&str>,
) -> Result<Vec<Finding>, FetchError> {
    fs::create_dir_all(dir).map_err(|error| FetchError::file("create", dir, &error))?;
    let _held = atomic_write::hold(dir).map_err(|error| FetchError::file("lock", dir, &error))?;
    // all of it first, so that nothing is written when a file can't be
    let Plan {
        names,
        texts,
        before,
        sources,
        left,
    } = Plan::of(dir, downloads, whole)?;
    atomic_write::sweep(dir, names.iter().map(String::as_str).chain([SOURCES]))
        .map_err(|error| FetchError::file("clean up", dir, &error))?;
    let mut report = Vec::new();
    let files = names.iter().zip(&texts).zip(&before);
    for (schema, ((file, text), before)) in downloads.iter().zip(files) {
        let is_same = |before: &String| is_in_lines(before) && laid_out(before) == *text;
        let (code, verb) = if before.as_ref().is_some_and(is_same) {
            ("unchanged", "unchanged")
        } else {
            replace(dir, file, text)?;
            ("written", "wrote")
        };
        let path = dir.join(file).display().to_string();
        let (name, version) = (plain(&schema.name), &schema.version);
        report.push(Finding {
            schema: Some(schema.name.clone()),
            message: format!("{verb} {path} ({name}, version {version})"),
            ..Finding::of_file(code, &path)
        });
    }
    if before
        .last()
        .is_none_or(|before| before.as_ref() != Some(&sources))
    {
        replace(dir, SOURCES, &sources)?;
    }
    report.extend(left);
    Ok(report)
}

/// What [`save`] would change beside the layout of files, and what it would say of other files.
pub(crate) fn compare(
    dir: &Path,
    downloads: &[Download],
    whole: Option<&str>,
) -> Result<(Vec<Change>, Vec<Finding>), FetchError> {
    let plan = Plan::of(dir, downloads, whole)?;
    let names = plan.names.iter().map(String::as_str).chain([SOURCES]);
    // the list stands behind the documents, and is none
    let count = plan.texts.len();
    let before = plan.before.into_iter().enumerate().map(|(at, before)| {
        let is_document = at < count;
        before.map(|text| if is_document { laid_out(&text) } else { text })
    });
    let all = names
        .zip(before)
        .zip(plan.texts.iter().chain([&plan.sources]));
    let changes = all
        .filter(|((_, before), after)| before.as_ref() != Some(*after))
        .map(|((name, before), after)| Change {
            path: dir.join(name).display().to_string(),
            before,
            after: Some(after.clone()),
        });
    Ok((changes.collect(), plan.left))
}

/// The file that a schema is listed in, if it is there and still the schema's: the one of its name first, where there are
/// several.
fn listed(dir: &Path, sources: &Sources, schema: &Download) -> Option<String> {
    let files = sources.files().filter(|(_, _, id)| *id == schema.id);
    let files = files.filter(|(name, ..)| {
        let text = own_text(&dir.join(name), schema);
        text.is_ok_and(|text| text.is_some())
    });
    let named = format!("{}.json", slug(&schema.name));
    let found = files.max_by_key(|(name, ..)| *name == named);
    found.map(|(name, ..)| name.to_owned())
}

/// Notes on listed files that are there and of no schema that was fetched: those of a schema that has another file by
/// now, and, where all of a service were fetched, those that it does not show.
fn left(
    dir: &Path,
    sources: &Sources,
    names: &[String],
    downloads: &[Download],
    whole: Option<&str>,
) -> Vec<Finding> {
    let within = whole.map(|base| format!("{base}/v1/"));
    let files = sources
        .files()
        .filter(|(name, ..)| !names.iter().any(|own| own == name) && dir.join(name).exists());
    let told = files.filter_map(|(name, address, id)| {
        let path = dir.join(name).display().to_string();
        let left = |why: &str| Finding {
            message: format!("left {path} ({why})"),
            ..Finding::of_file("left", &path)
        };
        let mut all = downloads.iter().zip(names);
        if let Some((_, own)) = all.find(|(schema, _)| schema.id == id) {
            let why = format!("of the same schema as {own}; delete one of them");
            return Some(left(&why));
        }
        let is_unseen = within
            .as_ref()
            .is_some_and(|base| address.starts_with(base));
        is_unseen.then(|| left("the service shows no such schema any more"))
    });
    told.collect()
}

/// A name as it is told: it may hold what a terminal takes for a command.
fn plain(name: &str) -> String {
    name.replace(char::is_control, " ")
}

/// The text of the file, if it is an older one of this schema or is not there.
fn own_text(path: &Path, schema: &Download) -> Result<Option<String>, FetchError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => unmarked(&text).to_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FetchError::file("read", path, &error)),
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

/// Whether a document is laid out over several lines.
fn is_in_lines(text: &str) -> bool {
    text.lines().nth(1).is_some()
}

fn replace(dir: &Path, name: &str, text: &str) -> Result<(), FetchError> {
    atomic_write::replace(dir, name, text)
        .map_err(|error| FetchError::file("write", &dir.join(name), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of what [`save`](super::save) notes.
    fn save(
        dir: &Path,
        downloads: &[Download],
        whole: Option<&str>,
    ) -> Result<Vec<String>, FetchError> {
        let notes = super::save(dir, downloads, whole)?.into_iter();
        Ok(notes.map(|note| note.message).collect())
    }

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
    fn files_keep_their_sources_and_are_written_only_when_they_change() {
        let dir = tempfile::tempdir().unwrap();
        let both = [download("s1", "City", "1"), download("s2", "Land", "7")];
        assert!(
            save(dir.path(), &both, None)
                .unwrap()
                .iter()
                .all(|line| line.starts_with("wrote "))
        );
        let report = save(dir.path(), &[download("s1", "City", "2")], None).unwrap();
        assert!(report[0].starts_with("wrote ") && report[0].ends_with("(City, version 2)"));
        let report = save(dir.path(), &[download("s3", "Sea\u{1b}[2J", "1")], None).unwrap();
        assert!(!report[0].contains('\u{1b}'), "{report:?}");
        let report = save(dir.path(), &both[1..], None).unwrap();
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
    fn what_editors_and_version_control_make_of_a_file_is_no_difference() {
        let dir = tempfile::tempdir().unwrap();
        let one = [download("s1", "City", "1")];
        save(dir.path(), &one, None).unwrap();
        for file in ["city.json", SOURCES] {
            let path = dir.path().join(file);
            let text = fs::read_to_string(&path).unwrap().replace('\n', "\r\n");
            fs::write(&path, format!("\u{feff}{text}")).unwrap();
        }
        let (changes, _) = compare(dir.path(), &one, None).unwrap();
        assert!(changes.is_empty(), "{changes:?}");
        let report = save(dir.path(), &one, None).unwrap();
        assert!(report[0].starts_with("unchanged "), "{report:?}");
    }

    #[test]
    fn a_file_of_something_else_stops_everything() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("land.json"), "{\"schemaId\":\"other\"}").unwrap();
        let both = [download("s1", "City", "1"), download("s2", "Land", "7")];
        assert!(save(dir.path(), &both, None).is_err());
        assert!(!dir.path().join("city.json").exists());
    }

    #[test]
    fn a_schema_that_was_renamed_stays_in_its_file_and_a_new_one_of_its_old_name_gets_another() {
        let dir = tempfile::tempdir().unwrap();
        save(dir.path(), &[download("s1", "City", "1")], None).unwrap();
        let renamed = [download("s2", "City", "1"), download("s1", "Town", "2")];
        let report = save(dir.path(), &renamed, Some("http://h")).unwrap();
        let told = |file: &str, name: &str| {
            let path = dir.path().join(file);
            format!("wrote {} ({name})", path.display())
        };
        let expected = [
            told("city_s2.json", "City, version 1"),
            told("city.json", "Town, version 2"),
        ];
        assert_eq!(report, expected);
        let texts = ["city_s2.json", "city.json"].map(|file| {
            let text = fs::read_to_string(dir.path().join(file));
            text.unwrap()
        });
        let expected = renamed.each_ref().map(|schema| laid_out(&schema.text));
        assert_eq!(texts, expected);
        // who deleted the file, or wrote another list, begins anew
        fs::remove_file(dir.path().join("city.json")).unwrap();
        let report = save(dir.path(), &renamed[1..], None).unwrap();
        assert_eq!(report, [told("town.json", "Town, version 2")]);
    }

    #[test]
    fn what_a_service_does_not_show_any_more_is_told_and_left() {
        let dir = tempfile::tempdir().unwrap();
        let both = [download("s1", "City", "1"), download("s2", "Land", "7")];
        save(dir.path(), &both, None).unwrap();
        let left = |whole| save(dir.path(), &both[..1], whole).unwrap().split_off(1);
        assert!(left(None).is_empty(), "only one was asked for");
        assert!(left(Some("http://other")).is_empty());
        let path = dir.path().join("land.json");
        let told = format!(
            "left {} (the service shows no such schema any more)",
            path.display()
        );
        assert_eq!(left(Some("http://h")), [told]);
        assert!(path.exists());
        // two files of one schema, as two branches leave them that were merged
        fs::copy(dir.path().join("city.json"), dir.path().join("town.json")).unwrap();
        let list = dir.path().join(SOURCES);
        let line = "town.json\thttp://h/v1/businessareas/a/schemas/s1\ts1\t1\n";
        fs::write(&list, fs::read_to_string(&list).unwrap() + line).unwrap();
        let told = left(None);
        assert!(
            told[0].ends_with("town.json (of the same schema as city.json; delete one of them)")
        );
    }

    #[test]
    fn a_list_leads_to_no_other_directory() {
        let outer = tempfile::tempdir().unwrap();
        let dir = outer.path().join("schemas");
        fs::create_dir(&dir).unwrap();
        let city = download("s1", "City", "2");
        for (path, name) in [("city.json", "../city.json"), ("schemas/x", "..")] {
            fs::write(outer.path().join(path), "{\"schemaId\":\"s1\"}").unwrap();
            fs::write(dir.join(SOURCES), format!("{name}\thttp://h\ts1\t1\n")).unwrap();
            save(&dir, std::slice::from_ref(&city), None).unwrap();
            assert!(dir.join("city.json").exists(), "{name}");
            fs::remove_file(dir.join("city.json")).unwrap();
        }
        let outside = fs::read_to_string(outer.path().join("city.json")).unwrap();
        assert_eq!(outside, "{\"schemaId\":\"s1\"}");
    }

    #[test]
    fn a_comparison_names_what_would_be_written_and_writes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let within = dir.path().join("schemas");
        let city = [download("s1", "City", "1")];
        let changes = |schemas: &[Download]| {
            let (changes, left) = compare(&within, schemas, None).unwrap();
            assert!(left.is_empty());
            let names = changes.iter().map(|change| {
                let name = Path::new(&change.path).file_name().unwrap().to_owned();
                (name.into_string().unwrap(), change.before.is_some())
            });
            names.collect::<Vec<_>>()
        };
        let both = |is_there| {
            let names = ["city.json", SOURCES];
            names.map(|name| (name.to_owned(), is_there)).to_vec()
        };
        assert_eq!(changes(&city), both(false));
        assert!(!within.exists());
        save(&within, &city, None).unwrap();
        assert!(changes(&city).is_empty());
        assert_eq!(changes(&[download("s1", "City", "2")]), both(true));
    }

    #[test]
    fn how_a_file_is_laid_out_is_no_difference_and_one_line_is_laid_out_when_it_is_saved() {
        let dir = tempfile::tempdir().unwrap();
        let city = [download("s1", "City", "1")];
        save(dir.path(), &city, None).unwrap();
        let file = dir.path().join("city.json");
        let is_same = || compare(dir.path(), &city, None).unwrap().0.is_empty();
        let own = "{\r\n\t\"schemaId\": \"s1\", \"version\": 1}\r\n";
        fs::write(&file, own).unwrap();
        assert!(is_same());
        let told = save(dir.path(), &city, None).unwrap();
        assert!(told[0].starts_with("unchanged "), "{told:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), own);
        fs::write(&file, &city[0].text).unwrap();
        assert!(is_same());
        let (changes, _) = compare(dir.path(), &[download("s1", "City", "2")], None).unwrap();
        let before = "{\n  \"schemaId\": \"s1\",\n  \"version\": 1\n}\n";
        assert_eq!(changes[0].before.as_deref(), Some(before));
        let told = save(dir.path(), &city, None).unwrap();
        assert!(told[0].starts_with("wrote "), "{told:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), before);
    }
}
