//! Atomic writes: a file is written beside its place first and renamed, so that a reader never sees half of
//! one. A run that is killed may leave such a part behind; the next run in the directory sweeps it away. Runs that
//! write to one directory hold it, one after the other. What the file holds, and whether it may be replaced, is the
//! caller's.
//!
//! The crate `tempfile` would write and rename too, and sweep nothing. It brings six crates, one with a build
//! script of its own, to the seven of a build script that generates; a cold check of those takes 2.65 s of
//! processor time instead of 1.8 s. Its files are also the user's alone unless one asks for more.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A part this old belongs to no run any more: writing one takes no time.
const PART_AGE_MAX: Duration = Duration::from_secs(60);

/// Waits for a directory and holds it, until what is answered is dropped; a run that is killed holds nothing. Where
/// the file system has no locks, nobody waits.
pub fn hold(dir: &Path) -> io::Result<File> {
    // Windows opens no directory as a file
    let file = if cfg!(unix) {
        File::open(dir)?
    } else {
        let options = fs::OpenOptions::new().write(true).create(true).to_owned();
        options.open(dir.join(".fieldstone.lock"))?
    };
    match file.lock() {
        Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
        _ => Ok(file),
    }
}

/// Writes beside the file, then renames the part over it. Where the name is a link, that is done where it leads, and the
/// link stays.
pub fn replace(dir: &Path, name: &str, text: &str) -> io::Result<()> {
    let named = dir.join(name);
    let place = named.canonicalize().unwrap_or(named);
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let beside = part(place.parent().unwrap_or(dir), &name, std::process::id());
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&beside, &place));
    if renamed.is_err() {
        // the error that counts is the first one
        let _ = fs::remove_file(&beside);
    }
    renamed
}

/// Removes what killed runs left of these files. Parts of other files are somebody else's, and young ones
/// may be of a run that is at work.
pub fn sweep<'n>(dir: &Path, names: impl Iterator<Item = &'n str>) -> io::Result<()> {
    let names: Vec<&str> = names.collect();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if !names
            .iter()
            .any(|name| is_part_of(name, &entry.file_name()))
        {
            continue;
        }
        // another run may sweep at the same moment
        let swept = entry.metadata().and_then(|about| {
            let age = about.modified()?.elapsed().unwrap_or_default();
            if about.is_file() && age > PART_AGE_MAX {
                fs::remove_file(entry.path())?;
            }
            Ok(())
        });
        match swept {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn part(dir: &Path, name: &str, process: u32) -> PathBuf {
    dir.join(format!(".{name}.{process}.part"))
}

fn is_part_of(name: &str, found: &OsStr) -> bool {
    let found = found.to_str().and_then(|found| found.strip_prefix('.'));
    let rest = found.and_then(|found| found.strip_prefix(name));
    let process = rest.and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".part"));
    process.is_some_and(|process| process.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn only_old_parts_of_the_named_files_are_swept_away() {
        let dir = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - PART_AGE_MAX * 2;
        let place = |name: &str, modified: SystemTime| {
            let file = File::create(dir.path().join(name)).unwrap();
            file.set_modified(modified).unwrap();
        };
        place(".city.rs.17.part", old);
        place(".city.rs.18.part", SystemTime::now());
        for name in [
            ".land.rs.17.part",
            ".city.rs.x.part",
            "city.rs.17.part",
            ".city.rs.part",
            "city.rs",
        ] {
            place(name, old);
        }
        fs::create_dir(dir.path().join(".city.rs.19.part")).unwrap();
        sweep(dir.path(), ["city.rs", "mod.rs"].into_iter()).unwrap();
        let left = fs::read_dir(dir.path()).unwrap();
        let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        let remaining = [
            ".city.rs.18.part",
            ".city.rs.19.part",
            ".city.rs.part",
            ".city.rs.x.part",
            ".land.rs.17.part",
            "city.rs",
            "city.rs.17.part",
        ];
        assert_eq!(left, remaining);
    }

    #[test]
    #[cfg(unix)]
    fn a_file_has_the_permissions_of_any_other() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("other.rs"), "x").unwrap();
        replace(dir.path(), "city.rs", "x").unwrap();
        let mode = |name: &str| {
            fs::metadata(dir.path().join(name))
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode("city.rs"), mode("other.rs"));
    }

    #[test]
    #[cfg(unix)]
    fn what_a_link_leads_to_is_replaced_and_the_link_stays() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("shared")).unwrap();
        let (link, file) = (dir.path().join("a.lock"), dir.path().join("shared/b.lock"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("shared/b.lock", &link).unwrap();
        replace(dir.path(), "a.lock", "new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        let shared = fs::read_dir(dir.path().join("shared")).unwrap();
        assert_eq!(shared.count(), 1);
    }

    #[test]
    fn what_cannot_be_renamed_leaves_no_part() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("city.rs/inside")).unwrap();
        assert!(replace(dir.path(), "city.rs", "x").is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
