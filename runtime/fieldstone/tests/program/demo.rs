//! The demo's store, made once and copied to whoever needs something to serve. What the making itself is about starts a server
//! with `--demo`.

use crate::support::Server;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::tempdir;

/// A data folder with the demo, in memory, so that nothing of it stays when the tests end.
struct Demo {
    /// What the server said that made it, with its keys.
    greeting: String,
    folders: Vec<PathBuf>,
    files: Vec<(PathBuf, Vec<u8>)>,
}

static DEMO: LazyLock<Demo> = LazyLock::new(|| {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--demo"]);
    server.wait_for_error("generator -- fetch http://");
    let mut demo = Demo {
        greeting: server.stop(),
        folders: Vec::new(),
        files: Vec::new(),
    };
    read(folder.path(), Path::new("data"), &mut demo);
    demo
});

fn read(root: &Path, folder: &Path, demo: &mut Demo) {
    demo.folders.push(folder.to_owned());
    for entry in fs::read_dir(root.join(folder)).expect("a folder") {
        let path = folder.join(entry.expect("an entry").file_name());
        if root.join(&path).is_dir() {
            read(root, &path, demo);
        } else {
            let bytes = fs::read(root.join(&path)).expect("a file");
            demo.files.push((path, bytes));
        }
    }
}

/// Puts the demo into the data folder `data` of a folder; what the server said that made it.
pub(crate) fn write_demo(folder: &Path) -> &'static str {
    for path in &DEMO.folders {
        fs::create_dir(folder.join(path)).expect("a folder");
        close(&folder.join(path), 0o700);
    }
    for (path, bytes) in &DEMO.files {
        fs::write(folder.join(path), bytes).expect("written");
        close(&folder.join(path), 0o600);
    }
    &DEMO.greeting
}

#[cfg(unix)]
fn close(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("closed");
}

#[cfg(not(unix))]
fn close(_: &Path, _: u32) {}
