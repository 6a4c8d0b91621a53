//! The generator's program, built once, as the stories of `fetch` and `diff` run it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The program, built once.
fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut command = tests::cargo::command();
        command.args(["build", "--quiet", "--package", "generator"]);
        command.args(["--bin", "generator", "--message-format", "json"]);
        let output = command.current_dir(root).output().expect("cargo runs");
        succeeded(&output);
        let messages = text(&output.stdout);
        let messages = messages
            .lines()
            .map(serde_json::from_str::<serde_json::Value>);
        let mut built = messages.filter_map(|message| {
            let executable = message.ok()?["executable"].as_str()?.to_owned();
            Some(PathBuf::from(executable))
        });
        built.next_back().expect("cargo tells where the program is")
    });
    &PROGRAM
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
    let program = tokio::task::spawn_blocking(program).await;
    let mut command = Command::new(program.expect("the program"));
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
