//! The generator's program as `cargo test --workspace` or `cargo build -p generator` built it, run by the tests of `fetch` and `diff`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::SystemTime;

/// The program beside this suite. A build within a test would wait for cargo's lock.
fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let suite = std::env::current_exe().expect("a program");
        let profile = suite.parent().and_then(Path::parent);
        let program = profile.expect("a target folder").join("generator");
        let built = program.metadata().and_then(|file| file.modified());
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generator");
        let is_new = built.is_ok_and(|built| built >= changed(&sources));
        assert!(
            is_new,
            "not built from today's sources: cargo build -p generator"
        );
        program
    });
    &PROGRAM
}

/// When the newest Rust file below a folder was changed.
fn changed(folder: &Path) -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in folder.read_dir().expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("tests") {
            newest = newest.max(changed(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let file = entry.metadata().expect("a file");
            newest = newest.max(file.modified().expect("its time"));
        }
    }
    newest
}

/// Runs `generator fetch` in a folder, with this environment and no other credential.
pub(crate) async fn fetch(
    folder: &Path,
    credential: &[(&str, &str)],
    arguments: &[&str],
) -> Output {
    run(folder, credential, "fetch", arguments).await
}

pub(crate) async fn run(
    folder: &Path,
    credential: &[(&str, &str)],
    command_name: &str,
    arguments: &[&str],
) -> Output {
    let mut command = Command::new(program());
    command.arg(command_name).args(arguments);
    for name in [
        "FIELDSTONE_API_KEY",
        "FIELDSTONE_CLIENT_ID",
        "FIELDSTONE_CLIENT_SECRET",
    ] {
        command.env_remove(name);
    }
    command.envs(credential.iter().copied()).current_dir(folder);
    let run = move || command.output().expect("the program runs");
    tokio::task::spawn_blocking(run).await.expect("it ends")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
pub(crate) fn succeeded(output: &Output) {
    assert!(
        output.status.success(),
        "{}\n{}",
        text(&output.stdout),
        text(&output.stderr)
    );
}
