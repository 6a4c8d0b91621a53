//! What a command writes lies outside of the data folder, however its path leads there: in it everything is the store's, and
//! a name that is free today may be a record's file tomorrow.

use crate::failure::usage;
use std::path::{Component, Path, PathBuf};

/// Refuses a place in a data folder, or the folder itself, for what a command writes; `said` is the flag that names it, where
/// one does.
///
/// # Errors
/// Of wrong usage.
pub(crate) fn require_outside(said: Option<&str>, path: &Path, data: &Path) -> anyhow::Result<()> {
    if !lies_in(path, data) {
        return Ok(());
    }
    let said = flag(said);
    Err(usage(format!(
        "{said}{} lies in the data folder, which the store has for itself; name a place elsewhere",
        path.display()
    )))
}

/// A flag before what it names.
pub(crate) fn flag(said: Option<&str>) -> String {
    said.map_or_else(String::new, |said| format!("{said} "))
}

/// Whether two paths lead to one thing, be it by links.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (one.metadata(), other.metadata()) {
        use std::os::unix::fs::MetadataExt as _;
        return (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn lies_in(path: &Path, data: &Path) -> bool {
    resolved(path)
        .ancestors()
        .any(|folder| is_same(folder, data))
}

/// Where a path leads: links are followed as far as it is there, and what is not there yet stands behind.
fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for there in path.ancestors() {
        let Ok(mut place) = there.canonicalize() else {
            continue;
        };
        let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
        let mut has_climbed = false;
        for part in rest.components() {
            if part == Component::ParentDir {
                has_climbed = true;
                place.pop();
            } else {
                place.push(part);
            }
        }
        // where it climbed to, there may be links again
        return if has_climbed { resolved(&place) } else { place };
    }
    path
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_lies_in_the_data_folder_is_found_at_any_depth_and_by_links() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let data = path.join("data");
        fs::create_dir_all(data.join("files/d1")).unwrap();
        fs::create_dir(path.join("data-of-others")).unwrap();
        fs::write(data.join("files/d1/f1"), "x").unwrap();
        symlink(data.join("files"), path.join("into")).unwrap();
        symlink(data.join("files/d1/f1"), path.join("content")).unwrap();
        symlink(path.join("data-of-others"), data.join("out")).unwrap();
        let within = [
            "data",
            "data/",
            "data/new",
            "data/files/d1/f1",
            "data/new/deeper",
            "new/../data/x",
            "data-of-others/../data/x",
            "into/d1/new",
            "content",
            "new/../into/x",
        ];
        let outside = [
            "new",
            "data-of-others/x",
            "data/../x",
            "new/data/x",
            "data/out/x",
        ];
        for name in within {
            assert!(lies_in(&path.join(name), &data), "{name}");
        }
        for name in outside {
            assert!(!lies_in(&path.join(name), &data), "{name}");
        }
        assert!(!lies_in(&path.join("none/x"), &path.join("none")));
        for (said, begin) in [(Some("--rejects"), "--rejects /"), (None, "/")] {
            let refused = require_outside(said, &data.join("x"), &data);
            let told = refused.unwrap_err().to_string();
            assert!(told.starts_with(begin), "{told}");
        }
    }
}
