//! A PgBouncer between servers and the database: one that keeps sessions is as good as none, one that does not is refused.

use crate::cities::cities;
use crate::place::Place;
use crate::support::{TIMEOUT, process, text};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Where PgBouncer is, if this machine has it.
pub(crate) fn program() -> Option<PathBuf> {
    let places = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"];
    let mut places = places.into_iter().map(PathBuf::from);
    places.find(|place| place.is_file())
}

/// A pooler before a cluster; it ends with this.
struct Pooler {
    folder: TempDir,
}

impl Pooler {
    /// One that pools in this mode, with more sessions than are asked for.
    fn start(place: &Place, mode: &str) -> Self {
        Self::start_with(place, mode, 40)
    }

    /// The same with so many sessions.
    fn start_with(place: &Place, mode: &str, sessions: usize) -> Self {
        let folder = tempfile::Builder::new().prefix("pool").tempdir_in("/tmp");
        let pooler = Pooler {
            folder: folder.expect("a folder"),
        };
        let own = pooler.folder.path();
        // it does not run as root, as the cluster does not
        fs::set_permissions(own, fs::Permissions::from_mode(0o777)).expect("it is ours");
        let settings = format!(
            "[databases]
* = host={} user=postgres
[pgbouncer]
unix_socket_dir = {own}
listen_port = 5432
auth_type = any
pool_mode = {mode}
default_pool_size = {sessions}
pidfile = {own}/pid
logfile = {own}/log
",
            place.cluster.folder().display(),
            own = own.display()
        );
        let file = own.join("settings.ini");
        fs::write(&file, settings).expect("written");
        let program = program().expect("there is one");
        let id = Command::new("id").arg("-u").output();
        let is_root = id.is_ok_and(|id| id.stdout == b"0\n");
        let mut started = if is_root {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        started.arg("--daemon").arg(&file).current_dir(own);
        started
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        assert!(started.status().expect("it starts").success());
        let began = Instant::now();
        while !(own.join(".s.PGSQL.5432").exists() && own.join("pid").exists()) {
            let log = fs::read_to_string(own.join("log")).unwrap_or_default();
            assert!(began.elapsed() < TIMEOUT, "it is not there: {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
        pooler
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// What opens the database by it.
    fn address(&self, place: &Place) -> String {
        let (folder, database) = (self.path().display(), place.database());
        format!("host={folder} user=postgres dbname={database}")
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let pid = fs::read_to_string(self.path().join("pid")).unwrap_or_default();
        // one that never started has none
        let _ = Command::new("kill").args(["-KILL", pid.trim()]).status();
    }
}

pub(crate) fn a_pooler_that_gives_transactions_any_session_is_refused_with_what_to_do() {
    let place = Place::new();
    place.company();
    let pooler = Pooler::start(&place, "transaction");
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["migrate"],
        &["key", "list"],
    ] {
        let mut program = process(place.path());
        program.env("FIELDSTONE_DATABASE", pooler.address(&place));
        program.args(["--data", "pooled"]).args(command);
        let output = program.output().expect("it starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {message}");
        assert!(
            message.contains("pool_mode = session"),
            "{command:?}: {message}"
        );
    }
}

pub(crate) fn a_pooler_that_keeps_sessions_is_as_good_as_none() {
    let place = Place::new();
    let pooler = Pooler::start(&place, "session");
    let address = pooler.address(&place);
    let run = |arguments: &[&str]| {
        let mut program = process(place.path());
        program.env("FIELDSTONE_DATABASE", &address);
        program.env("FIELDSTONE_DATA", "pooled").args(arguments);
        let output = program.output().expect("it starts");
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(
            matches!(output.status.code(), Some(0 | 3)),
            "{arguments:?}: {out}{err}"
        );
        out
    };
    run(&["migrate"]);
    let key = place.company();
    run(&["apply", "company.yaml"]);
    let tried = run(&["apply", "company.yaml", "--dry-run"]);
    assert!(!tried.is_empty());
    assert_eq!(place.copies(), 0, "nothing is left of it");
    let key = key.as_str();
    let server = place.serve_at(&address, "pooled", &[]);
    let records = cities(&server, key);
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (server, records) = (&server, &records);
            scope.spawn(move || {
                for number in 0..25 {
                    let body = format!("{{\"Name\": \"W {writer} {number}\"}}");
                    let made = server.send("POST", key, records, &body);
                    assert_eq!(made.status, 201, "{}", made.body);
                    let page = server.get(key, &format!("{records}?pageSize=10"));
                    assert_eq!(page.status, 200, "{}", page.body);
                }
            });
        }
    });
    let began = Instant::now();
    loop {
        let found = server.get(key, "/v1/dataobjects/search?query=Delft");
        if found.status == 200 && found.json()["total"] == 1 {
            break;
        }
        assert!(began.elapsed() < TIMEOUT, "{}", found.body);
        std::thread::sleep(Duration::from_millis(50));
    }
    server.stop();
    assert!(run(&["check"]).contains("is sound"));
}

pub(crate) fn a_pooler_of_too_few_sessions_is_told_in_time() {
    const CLIENTS: usize = 24;
    /// What a connection is waited for, three times, and what a busy machine adds.
    const ANSWER_MAX: Duration = Duration::from_secs(60);
    let place = Place::new();
    let key = place.company();
    // a server may have sixteen connections
    let pooler = Pooler::start_with(&place, "session", 8);
    let server = place.serve_at(&pooler.address(&place), "pooled", &[]);
    let page = format!("{}?pageSize=10", cities(&server, &key));
    // while pages wait for their table, each needs a connection
    let held = place.hold("LOCK TABLE records IN ACCESS EXCLUSIVE MODE");
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                for _ in 0..3 {
                    let began = Instant::now();
                    let found = server.get(&key, &page);
                    let took = began.elapsed();
                    assert!(matches!(found.status, 200 | 429 | 503), "{}", found.body);
                    assert!(took < ANSWER_MAX, "{took:?}");
                }
            });
        }
        let told = server.wait_for_error("default_pool_size");
        assert!(told.contains("--database-connections"), "{told}");
        drop(held);
    });
}
