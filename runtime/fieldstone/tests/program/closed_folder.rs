//! Whether a folder is closed to other users of the machine, with all that is in it.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Who may do what with a file or a folder.
pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o7777
}

/// Asserts that a folder and all in it are closed, and gives the names of its files, in order.
#[track_caller]
pub(crate) fn assert_closed(folder: &Path) -> Vec<String> {
    assert_eq!(mode(folder), 0o700, "{}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            names.extend(assert_closed(&path));
        } else {
            assert_eq!(mode(&path), 0o600, "{}", path.display());
            names.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    names.sort();
    names
}
