//! Folders that last: a folder that was made is there after a loss of power only when the one above it was synced, too,
//! whatever was synced inside.

use std::fs::{DirBuilder, File};
use std::io;
use std::path::Path;

/// Makes a folder, and those above it, where there is none, for this user alone, and has their names on disk.
///
/// # Errors
/// When one can't be made or synced.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let missing = folder.ancestors().take_while(|it| !it.is_dir());
    // an empty path is the folder that one is in
    let missing: Vec<&Path> = missing.filter(|it| it.as_os_str() != "").collect();
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)?;
    for made in missing {
        match made.parent() {
            Some(above) if above.as_os_str() != "" => sync_folder(above)?,
            _ => sync_folder(Path::new("."))?,
        }
    }
    Ok(())
}

/// Has the names in a folder on disk.
///
/// # Errors
/// When the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    // where a folder can't be opened, the system sees to it
    match File::open(folder) {
        Ok(folder) => folder.sync_all(),
        Err(_) => Ok(()),
    }
}

/// Has the names in a folder, and in all folders below it, on disk.
///
/// # Errors
/// When the disk fails.
pub fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    sync_folder(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_with_those_above_it_and_may_be_there() {
        let root = std::env::temp_dir().join(format!("folders-{}", std::process::id()));
        let folder = root.join("a/b");
        for _ in 0..2 {
            make_folder(&folder).unwrap();
            assert!(folder.is_dir());
        }
        std::fs::write(folder.join("file"), "").unwrap();
        assert!(make_folder(&folder.join("file")).is_err());
        sync_folders(&root).unwrap();
        std::fs::remove_dir_all(root).unwrap();
    }
}
