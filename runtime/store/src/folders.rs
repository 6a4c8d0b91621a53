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

/// Makes a folder of the store in the same way; what fails is told with the path that it is about.
///
/// # Errors
/// As of [`make_folder`].
pub fn make_folder_of_store(folder: &Path) -> io::Result<()> {
    let Err(error) = make_folder(folder) else {
        return Ok(());
    };
    // making it says that there is something already, and not what
    let link = folder.ancestors().find(|it| it.is_symlink());
    let told = match link.and_then(|link| Some((link, std::fs::read_link(link).ok()?))) {
        Some((link, target)) if !link.is_dir() => format!(
            "{} is a link to {}, where no folder is: make one there, or remove the link",
            link.display(),
            target.display()
        ),
        _ => format!("{}: {error}", folder.display()),
    };
    Err(io::Error::new(error.kind(), told))
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

    #[cfg(unix)]
    #[test]
    fn a_folder_of_the_store_that_can_not_be_made_is_told_with_its_path_and_a_link_with_its_target()
    {
        let root = std::env::temp_dir().join(format!("folders-of-store-{}", std::process::id()));
        std::fs::create_dir(&root).unwrap();
        let (away, link, file) = (root.join("away"), root.join("files"), root.join("file"));
        std::os::unix::fs::symlink(&away, &link).unwrap();
        std::fs::write(&file, "").unwrap();
        let failed = |folder: &Path| make_folder_of_store(folder).unwrap_err().to_string();
        for folder in [link.clone(), link.join("a")] {
            let told = failed(&folder);
            let begin = format!("{} is a link to {},", link.display(), away.display());
            assert!(told.starts_with(&begin), "{told}");
        }
        assert!(failed(&file).starts_with(&format!("{}: ", file.display())));
        // a link that leads to one is as good
        std::fs::create_dir(&away).unwrap();
        make_folder_of_store(&link.join("a")).unwrap();
        assert!(away.join("a").is_dir());
        std::fs::remove_dir_all(root).unwrap();
    }
}
