//! Passwords of the database: a new one is taken without a restart.

use crate::cities::cities;
use crate::encrypted::put;
use crate::place::Place;
use crate::support::{Server, TIMEOUT, process, text};
use std::process::Command;
use std::time::Instant;

/// A database that asks its user for a password.
pub(crate) struct Guarded {
    pub(crate) place: Place,
}

impl Guarded {
    pub(crate) fn new(password: &str) -> Self {
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

    /// The program, by an address without a password.
    pub(crate) fn program(&self, database: &str) -> Command {
        let host = self.place.cluster.folder().display();
        let address = format!("host={host} user=fieldstone dbname={database}");
        let mut command = process(self.place.path());
        command.env("FIELDSTONE_DATABASE", address);
        command
    }

    /// What a migration says that fails.
    fn migrate(&self, options: &[&str]) -> String {
        let mut command = self.program(self.place.database());
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
    let mut command = guarded.program(place.database());
    command.args(["--data", "one", "serve", "--listen", "127.0.0.1:0"]);
    command.args(["--database-password-file", "password"]);
    let server = Server::spawn(command);
    let records = cities(&server, &key);
    place.sql(
        "ALTER ROLE fieldstone PASSWORD 'the second one';
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'fieldstone'",
    );
    let began = Instant::now();
    while server.get(&key, &records).status != 503 {
        assert!(began.elapsed() < TIMEOUT, "the old password is good");
    }
    // a file that is away for a moment changes nothing, and is logged
    std::fs::remove_file(place.path().join("password")).expect("removed");
    assert_eq!(server.get(&key, &records).status, 503);
    server.wait_for_error("the password of the database can't be read again");
    guarded.write_password("the second one\n");
    let made = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    server.stop();
}
