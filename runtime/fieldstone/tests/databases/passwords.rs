//! Passwords of the database: a new one is taken without a restart; and what a server says that is not let in.

use crate::cities::cities;
use crate::encrypted::put;
use crate::place::Place;
use crate::support::{Server, TIMEOUT, process, text};
use std::process::Command;
use std::time::Instant;

/// A database that asks its user for a password.
struct Guarded {
    place: Place,
}

impl Guarded {
    fn new(password: &str) -> Self {
        let place = Place::alone();
        let data = place.cluster.folder().join("data");
        let rules = "local all postgres trust\nlocal all all scram-sha-256\n";
        put(&data, "pg_hba.conf", rules);
        let database = place.database();
        let script = format!(
            "CREATE ROLE fieldstone LOGIN PASSWORD '{password}';
             ALTER DATABASE {database} OWNER TO fieldstone;
             SELECT pg_reload_conf();"
        );
        place.cluster.run(&script).expect("it is told");
        let guarded = Guarded { place };
        guarded.write_password(password);
        // the reload takes a moment, and then everything does that the password is right for
        let began = Instant::now();
        while guarded.migrate(&[]).is_empty() {
            assert!(began.elapsed() < TIMEOUT, "it asks for no password");
        }
        let migrated = guarded.migrate(&["--database-password-file", "password"]);
        assert_eq!(migrated, "", "it takes the password");
        guarded
    }

    fn write_password(&self, password: &str) {
        std::fs::write(self.place.path().join("password"), password).expect("written");
    }

    /// The address of a database for its user, without a password.
    fn address(&self, database: &str) -> String {
        let host = self.place.cluster.folder().display();
        format!("host={host} user=fieldstone dbname={database}")
    }

    /// The program on the database.
    fn program(&self) -> Command {
        self.program_at(&self.address(self.place.database()))
    }

    fn program_at(&self, address: &str) -> Command {
        let mut command = process(self.place.path());
        command.env("FIELDSTONE_DATABASE", address);
        command
    }

    /// What a migration says that fails.
    fn migrate(&self, options: &[&str]) -> String {
        let mut command = self.program();
        let output = command.arg("migrate").args(options).output();
        let output = output.expect("it starts");
        if output.status.success() {
            return String::new();
        }
        text(&output.stderr)
    }
}

pub(crate) fn a_new_password_in_the_file_is_taken_without_a_restart() {
    let guarded = Guarded::new("the first one");
    let place = &guarded.place;
    let key = place.company();
    let mut command = guarded.program();
    command.args(["--data", "one", "serve", "--listen", "127.0.0.1:0"]);
    command.args(["--database-password-file", "password"]);
    let server = Server::spawn(command);
    let records = cities(&server, &key);
    place.sql("ALTER ROLE fieldstone PASSWORD 'the second one'");
    // in a transaction of its own, and until they are gone: no session begins with the old password meanwhile
    place.sql(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = 'fieldstone'",
    );
    let began = Instant::now();
    while server.get(&key, &records).status != 503 {
        assert!(began.elapsed() < TIMEOUT, "the old password is good");
    }
    // however many requests meet it, the log has the cause once
    for _ in 0..5 {
        assert_eq!(server.get(&key, &records).status, 503);
    }
    let told = server.errors();
    let is_cause = |line: &&str| line.contains("store_failure_log");
    let causes: Vec<&str> = told.lines().filter(is_cause).collect();
    assert_eq!(causes.len(), 1, "{causes:#?}");
    assert!(causes[0].contains("refuses the connection"), "{causes:?}");
    // a file that is away for a moment changes nothing, and is logged
    std::fs::remove_file(place.path().join("password")).expect("removed");
    assert_eq!(server.get(&key, &records).status, 503);
    server.wait_for_error("the password of the database can't be read again");
    guarded.write_password("the second one\n");
    let made = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    server.stop();
}

pub(crate) fn a_server_that_is_not_let_in_names_host_port_and_cause_and_says_what_to_do() {
    let guarded = Guarded::new("the right one");
    let (place, here) = (&guarded.place, guarded.place.database());
    std::fs::write(place.path().join("wrong"), "another").expect("written");
    let socket = format!("{}/.s.PGSQL.5432", place.cluster.folder().display());
    let right = &["--database-password-file", "password"][..];
    let wrong = &["--database-password-file", "wrong"][..];
    let nowhere = format!("host=127.0.0.1 port=1 user=fieldstone dbname={here}");
    let unknown = "host=nowhere.invalid user=fieldstone dbname=master".to_owned();
    for (address, options, at, told) in [
        (
            guarded.address(here),
            &[][..],
            format!("{here} at {socket}"),
            "the database refuses the connection: it asks for a password; write that into a file, and name the file with --database-password-file: password missing",
        ),
        (
            guarded.address(here),
            wrong,
            format!("{here} at {socket}"),
            "the database refuses the connection: the password is not that of the user; write the right one into the file of --database-password-file: password authentication failed for user \"fieldstone\"",
        ),
        (
            guarded.address("another"),
            right,
            format!("another at {socket}"),
            "the database refuses the connection: it has no database of that name; make one (CREATE DATABASE … OWNER …), or name another one in the address: database \"another\" does not exist",
        ),
        (
            nowhere,
            right,
            format!("{here} at 127.0.0.1:1"),
            "the database can't be reached: nothing answers at the host and port of the address; start the database there, or write the right ones: Connection refused (os error 111)",
        ),
        (
            unknown,
            right,
            "master at nowhere.invalid:5432".to_owned(),
            "the database can't be reached: nothing answers at the host and port of the address; start the database there, or write the right ones: failed to lookup address information: ",
        ),
    ] {
        for (verb, command) in [
            ("migrate", &["migrate"][..]),
            ("open", &["serve", "--listen", "127.0.0.1:0"]),
        ] {
            let mut program = guarded.program_at(&address);
            let output = program.args(command).args(options).output();
            let output = output.expect("it starts");
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{command:?}: {message}");
            let expected = format!("error: can't {verb} the database {at}: {told}");
            let last = message.lines().last().unwrap_or_default();
            assert!(last.starts_with(&expected), "{command:?}: {message}");
        }
    }
}
