//! What is in a folder, for who fills it or looks for what it put there.

use std::ffi::OsString;
use std::path::Path;
use std::{fs, io};

/// What file systems keep in the folder where they are mounted: nobody put it there, and it is in nobody's way.
const OF_A_FILE_SYSTEM: &str = "lost+found";

/// The names of what is in a folder; none where it is not there.
pub(crate) fn names_in(
    folder: &Path,
) -> io::Result<impl Iterator<Item = io::Result<OsString>> + use<>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => Some(entries),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let names = entries.into_iter().flatten();
    let names = names.map(|entry| entry.map(|entry| entry.file_name()));
    Ok(names.filter(|name| !name.as_ref().is_ok_and(|name| name == OF_A_FILE_SYSTEM)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_system_keeps_in_a_folder_is_passed_over_and_all_else_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let names = |path: &Path| {
            let names: io::Result<Vec<_>> = names_in(path).unwrap().collect();
            names.unwrap()
        };
        assert!(names(&folder.path().join("none")).is_empty());
        fs::create_dir(folder.path().join("lost+found")).unwrap();
        assert!(names(folder.path()).is_empty());
        fs::write(folder.path().join("notes"), "").unwrap();
        assert_eq!(names(folder.path()), ["notes"]);
    }
}
