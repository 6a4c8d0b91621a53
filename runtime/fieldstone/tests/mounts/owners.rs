//! Root, and a data folder of another user. Only root can make one; others look at the words alone (`owner.rs`).

use crate::support::{fail, process, succeed, text, write_company};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

/// Why nobody but root can tell these stories, where it is another user.
pub(crate) fn refusal() -> Option<String> {
    let is_root = nix::unistd::Uid::effective().is_root();
    (!is_root).then(|| "only root can give a folder to another user".to_owned())
}

/// A user that machines have for nobody.
const NOBODY: u32 = 65534;

fn give_to_nobody(path: &Path) {
    let mut give = Command::new("chown");
    let given = give.args(["-R", "65534:65534"]).arg(path).status();
    assert!(given.expect("chown runs").success());
}

/// What in a folder is not nobody's.
fn of_others(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.metadata().expect("it is there").uid() != NOBODY {
            found.push(path.display().to_string());
        }
        if path.is_dir() {
            found.extend(of_others(&path));
        }
    }
    found
}

pub(crate) fn root_makes_nothing_in_a_folder_of_another_user() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let data = path.join("data");
    give_to_nobody(&data);
    let refused: [&[&str]; 8] = [
        &["key", "list"],
        &["jobs", "list"],
        &["secret", "rotate"],
        &["index", "rebuild"],
        &["compact"],
        &["export", "Places/City/Cities"],
        &["serve", "--listen", "127.0.0.1:0"],
        &["move", "--from", "data", "--to", "elsewhere"],
    ];
    for arguments in refused {
        let said = fail(path, arguments);
        assert!(
            said.contains("run it as that user"),
            "{arguments:?}: {said}"
        );
        assert!(said.contains("--user 65534:65534"), "{said}");
    }
    assert!(!path.join("elsewhere").exists());
    // what only reads makes nothing there
    succeed(path, &["check"]);
    succeed(path, &["backup", "kept.tar.zst"]);
    assert_eq!(of_others(&data), Vec::<String>::new());

    let restore = |to: &str| {
        let mut command = process(path);
        command.args(["--data", to, "restore", "kept.tar.zst"]);
        command.output().expect("it starts")
    };
    let taken = path.join("taken");
    fs::create_dir(&taken).expect("made");
    give_to_nobody(&taken);
    let said = text(&restore("taken").stderr);
    assert!(said.contains("run it as that user"), "{said}");
    assert_eq!(fs::read_dir(&taken).expect("a folder").count(), 0);
    for own in ["own", "new"] {
        if own == "own" {
            fs::create_dir(path.join(own)).expect("made");
        }
        let restored = restore(own);
        assert!(restored.status.success(), "{}", text(&restored.stderr));
    }
}
