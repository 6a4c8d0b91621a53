//! Compares two frozen folders file by file.

use similar::TextDiff;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

/// What differs between two folders.
pub(crate) struct Found {
    /// Per section: same, changed, missing and added files.
    sections: BTreeMap<String, [usize; 4]>,
    diffs: Vec<String>,
}

pub(crate) fn compare(old: &Path, new: &Path) -> io::Result<Found> {
    let (old, new) = (read(old)?, read(new)?);
    let mut found = Found {
        sections: BTreeMap::new(),
        diffs: Vec::new(),
    };
    for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
        let section = name.split('/').next().unwrap_or(name).to_owned();
        let kind = match (old.get(name), new.get(name)) {
            (Some(before), Some(after)) if before == after => 0,
            (Some(_), Some(_)) => 1,
            (Some(_), None) => 2,
            _ => 3,
        };
        found.sections.entry(section).or_default()[kind] += 1;
        if kind != 0 {
            let text = |files: &BTreeMap<String, Vec<u8>>| {
                files
                    .get(name)
                    .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
                    .unwrap_or_default()
            };
            let (before, after) = (text(&old), text(&new));
            let diff = TextDiff::from_lines(&before, &after);
            let diff = diff
                .unified_diff()
                .header(&format!("old/{name}"), &format!("new/{name}"))
                .to_string();
            found.diffs.push(if diff.is_empty() {
                format!("{name}: differs, with no line to show\n")
            } else {
                diff
            });
        }
    }
    Ok(found)
}

impl Found {
    pub(crate) fn is_same(&self) -> bool {
        self.diffs.is_empty()
    }

    pub(crate) fn print(&self, limit: usize, out: &mut impl io::Write) -> io::Result<()> {
        for (section, [same, changed, missing, added]) in &self.sections {
            writeln!(
                out,
                "{section}: {same} same, {changed} changed, {missing} missing, {added} added"
            )?;
        }
        for diff in self.diffs.iter().take(limit) {
            write!(out, "\n{diff}")?;
        }
        if self.diffs.len() > limit {
            writeln!(out, "\n{} more differences", self.diffs.len() - limit)?;
        }
        Ok(())
    }
}

/// Every file below `root`, by its path with `/`; an empty or missing folder is an error, for it compares as "same".
fn read(root: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![(root.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(&folder)
            .map_err(|error| io::Error::other(format!("{}: {error}", folder.display())))?
        {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push((entry.path(), format!("{name}/")));
            } else {
                files.insert(name, fs::read(entry.path())?);
            }
        }
    }
    if files.is_empty() {
        return Err(io::Error::other(format!("{} has no files", root.display())));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::compare;
    use std::fs;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("help")).unwrap();
        for (name, text) in files {
            fs::write(folder.path().join("help").join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn changed_missing_and_added_files_are_told_apart() {
        let old = folder(&[("a", "one\n"), ("b", "two\n"), ("c", "three\n")]);
        let new = folder(&[("a", "one\n"), ("b", "2\n"), ("d", "four\n")]);
        let found = compare(old.path(), new.path()).unwrap();
        let mut out = Vec::new();
        found.print(1, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(
            out.starts_with("help: 1 same, 1 changed, 1 missing, 1 added\n"),
            "{out}"
        );
        assert!(
            out.contains("-two\n+2\n") && out.ends_with("2 more differences\n"),
            "{out}"
        );
        assert!(!found.is_same());
        assert!(compare(old.path(), old.path()).unwrap().is_same());
    }

    #[test]
    fn an_empty_folder_is_an_error() {
        assert!(compare(folder(&[]).path(), folder(&[("a", "")]).path()).is_err());
    }
}
