//! The manual's pages run as they stand: each in an empty folder, with the program on the path, against a real
//! server. A story whose tools a machine lacks is counted as ignored and says so; where `CI` is set, it fails.

#[path = "../../../../tests/support/cargo.rs"]
#[allow(dead_code, unreachable_pub, reason = "made for other suites too")]
mod cargo;
mod page;
mod stories;

use libtest_mimic::{Arguments, Failed, Trial};
use page::{Block, blocks, compare};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};
use stories::{STORIES, Story};

/// What parts the output of a block from that of the next.
const MARK: &str = "@@ end of block";

/// The address that pages name.
const ADDRESS: &str = "127.0.0.1:8080";

fn main() {
    let arguments = Arguments::from_args();
    let is_ci = std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false");
    let mut trials: Vec<Trial> = STORIES.iter().map(|story| trial(story, is_ci)).collect();
    if is_there("curl") {
        trials.push(Trial::test(
            "each_command_that_the_demo_prints_shows_what_is_said_of_it",
            || run_the_demos_commands().map_err(Failed::from),
        ));
    }
    for (name, holds) in [
        (
            "pages_are_read_as_they_are_meant",
            page::pages_are_read_as_they_are_meant as fn(),
        ),
        (
            "each_block_of_the_manual_is_run",
            stories::each_block_of_the_manual_is_run,
        ),
        (
            "a_block_that_nobody_runs_is_found",
            stories::a_block_that_nobody_runs_is_found,
        ),
    ] {
        trials.push(Trial::test(name, move || {
            holds();
            Ok(())
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn trial(story: &'static Story, is_ci: bool) -> Trial {
    let missing = story.tools.iter().find(|tool| !is_there(tool));
    let reason = match missing {
        Some(tool) => Some(format!("`{tool}` is not there")),
        None if story.tools.contains(&"npx") && !is_ci => {
            Some("it fetches a package; set CI to run it".to_owned())
        }
        None => None,
    };
    let Some(reason) = reason else {
        let trial = Trial::test(story.name, || run(story).map_err(Failed::from));
        return if story.compiles {
            trial
                .with_kind("it compiles a crate: the full lane runs it")
                .with_ignored_flag(true)
        } else {
            trial
        };
    };
    let failed = format!("{reason}; where CI is set, each story must be run");
    let trial = Trial::test(story.name, move || Err(Failed::from(failed)));
    if is_ci {
        return trial;
    }
    trial
        .with_kind(format!("ignored, because {reason}"))
        .with_ignored_flag(true)
}

fn is_there(tool: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").stdin(Stdio::null());
    command.output().is_ok()
}

fn run(story: &Story) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let blocks = blocks(&stories::page(story.page), story.section);
    let address = own_address();
    let script = script(story, &blocks, folder.path(), &address);
    let output = bash(&script, folder.path(), &address);
    let printed = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    let all = || format!("{script}\n--\n{printed}\n--\n{told}");
    if !output.status.success() {
        return Err(format!("{}\n{}", output.status, all()));
    }
    let mut parts = printed.split(MARK);
    for block in &blocks {
        if let Block::Commands { prints, .. } = block {
            let part = parts.next().unwrap_or_default();
            compare(part, &at(prints, &address)).map_err(|wrong| format!("{wrong}\n{}", all()))?;
        }
    }
    let shown: Vec<String> = story.shows.iter().map(|line| (*line).to_owned()).collect();
    let rest = parts.next().unwrap_or_default();
    compare(rest, &shown).map_err(|wrong| format!("{wrong}\n{}", all()))?;
    Ok(())
}

/// Every `curl` that the demo prints, one after the other as a newcomer would: a faulty record, how many there are, one
/// fewer once it is mended, a new one, a search.
fn run_the_demos_commands() -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let address = own_address();
    let mut script =
        String::from("set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n");
    serve(&mut script, "--demo --data demo 2>demo.log", &address);
    script.push_str("grep '^  curl' demo.log | sed 's/curl /curl -sf /; s/$/; echo/' >commands\nbash -e commands\n");
    let output = bash(&script, folder.path(), &address);
    let printed = String::from_utf8_lossy(&output.stdout);
    let expected = [
        r#"…"ICAO":"EDDM","IATA":"MUC"…"#,
        r#"…"_errors":[{"name":"ICAO","errors":"must have at most 4 characters"}]…"#,
        r#"…"dataSetName":"Airports",…"erroredRecordsCount":5…"#,
        r#"…"dataSetName":"Airports",…"erroredRecordsCount":4…"#,
        r#"…"name":"Latitude","errors":"must be at most 90"…"#,
        r#"{"hits":[…"_errors":[],"ICAO":"ZDDM"…"#,
    ];
    let expected = expected.map(str::to_owned);
    let ended = output.status.success();
    let compared = compare(&printed, &expected);
    compared
        .and_then(|()| ended.then_some(()).ok_or_else(|| output.status.to_string()))
        .map_err(|wrong| {
            format!(
                "{wrong}\n{printed}\n{}",
                String::from_utf8_lossy(&output.stderr)
            )
        })
}

/// The page as one script; its files are written.
fn script(story: &Story, blocks: &[Block], folder: &Path, address: &str) -> String {
    let mut script =
        String::from("set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n");
    script.push_str(story.before);
    if let Some(words) = story.serves {
        serve(&mut script, words, address);
    }
    script.push_str(story.with_server);
    for block in &story.files() {
        write_file(block, folder, address);
    }
    let mut written = HashSet::new();
    for block in blocks {
        match block {
            Block::File { name, .. } if written.insert(name) => {
                write_file(block, folder, address);
            }
            // shown again, it is a file that changes on the way
            Block::File { name, content } => {
                let content = content.replace(ADDRESS, address);
                let _ = writeln!(script, "cat > {name} <<'{MARK}'\n{content}{MARK}");
            }
            Block::Serve(more) => serve(&mut script, &format!("{more} 2>server.log"), address),
            Block::Commands { lines, .. } => {
                script.push_str(&story.meant(lines).replace(ADDRESS, address));
                let _ = writeln!(script, "printf '\\n%s\\n' '{MARK}'");
            }
        }
    }
    script.push_str(story.after);
    script
}

/// Lines that a page shows, with the server's address here.
fn at(prints: &[String], address: &str) -> Vec<String> {
    prints
        .iter()
        .map(|line| line.replace(ADDRESS, address))
        .collect()
}

/// Writes a file that a page shows.
fn write_file(block: &Block, folder: &Path, address: &str) {
    if let Block::File { name, content } = block {
        let content = content.replace(ADDRESS, address);
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }
}

/// A server that goes on while the script does.
fn serve(script: &mut String, words: &str, address: &str) {
    let _ = writeln!(
        script,
        "fieldstone serve {words} >/dev/null &\nfor try in $(seq 600); do curl -sf http://{address}/readyz >/dev/null && break; sleep 0.1; done"
    );
}

fn bash(script: &str, folder: &Path, address: &str) -> Output {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_fieldstone"));
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("FIELDSTONE_") {
            command.env_remove(name);
        }
    }
    cargo::forget_package(&mut command);
    command
        .args(["-c", script])
        .current_dir(folder)
        // they would come in while the commands count
        .env("FIELDSTONE_DEMO_RECORDS", "0")
        .env("PATH", path)
        .env("FIELDSTONE_LISTEN", address)
        .env("SOURCES", sources())
        .stdin(Stdio::null());
    command.output().expect("bash")
}

/// The repository.
fn sources() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    folder.canonicalize().expect("the repository")
}

/// An address of this machine that no other process has, and no other story.
fn own_address() -> String {
    static STORIES: AtomicU8 = AtomicU8::new(100);
    let story = STORIES.fetch_add(1, Ordering::Relaxed);
    let [.., high, low] = std::process::id().to_be_bytes();
    // elsewhere the machine has one address, and a port of it may be taken by the time it is used
    if cfg!(target_os = "linux") {
        format!("127.{story}.{high}.{}:8080", low.clamp(1, 254))
    } else {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address").to_string()
    }
}
