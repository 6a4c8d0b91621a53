//! Exit codes, and errors that say what to do next.

use crate::support::{
    Server, TIMEOUT, fail, fieldstone, process, run, succeed, text, write_company,
};
use std::path::Path;
use tempfile::tempdir;

fn exit(folder: &Path, arguments: &[&str]) -> Option<i32> {
    run(folder, arguments).status.code()
}

#[test]
fn exit_codes_are_the_ones_that_the_help_tells() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    assert_eq!(exit(path, &["apply", "company.yaml"]), Some(0));
    assert_eq!(exit(path, &["check"]), Some(0));
    assert_eq!(exit(path, &["key", "delete", "nobody"]), Some(1));
    assert_eq!(exit(path, &["check", "--data", "elsewhere"]), Some(1));
    for wrong in [
        &["apply"][..],
        &["aply", "company.yaml"],
        &["serve", "--page-size", "0"],
        &["serve", "--head-seconds", "0"],
        &["serve", "--body-seconds", "0"],
        &["check", "--database", "mysql://host/name"],
        &[
            "key",
            "list",
            "--database",
            "postgres://anna@host/name?foo=1",
        ],
        &["key", "list", "--log", ",,="],
        &["key", "list", "--log", "warning"],
        &["key", "list", "--log", "info;store=debug"],
        &["serve", "--read-only", "--demo"],
        &["serve", "--tls-cert", "c.pem"],
        &["serve", "--s3-prefix", "p"],
        &[
            "key", "create", "k", "--role", "MEMBER", "--area", "*", "--area", "Places",
        ],
        &["key", "list", "--config", "none.toml"],
        &[
            "key",
            "create",
            "k",
            "--role",
            "MEMBER",
            "--expires",
            "soon",
        ],
    ] {
        assert_eq!(exit(path, wrong), Some(2), "{wrong:?}");
    }
    let more = "{\"Name\": \"Bonn\"}\n{\"Name\": \"Ulm\", \"Mayor\": 1}\n{\"People\": 1}\n";
    std::fs::write(path.join("cities.ndjson"), more).expect("written");
    assert_eq!(exit(path, &["apply", "company.yaml"]), Some(3));
    let help = succeed(path, &["--help"]);
    for code in [
        "0  everything",
        "1  it was not",
        "2  the command line",
        "3  a manifest was applied or a file imported",
    ] {
        assert!(help.contains(code), "{code} in {help}");
    }
}

#[test]
fn standard_input_is_not_read_twice_be_it_for_data_or_for_a_secret() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let import = ["import", "-", "--into", "Places/City/Cities"];
    let server = ["--server", "http://127.0.0.1:1"];
    let database = ["--database", "postgres://anna@127.0.0.1:1/name"];
    let of_user = ["--sign-in", "anna", "--sign-in-password-file", "-"];
    for arguments in [
        [&import[..], &["-"]].concat(),
        [&import[..], &server, &["--key-file", "-"]].concat(),
        [&import[..], &server, &of_user].concat(),
        [&import[..], &database, &["--database-password-file", "-"]].concat(),
        [
            &["restore", "-"][..],
            &database,
            &["--database-password-file", "-"],
        ]
        .concat(),
    ] {
        let output = run(path, &arguments);
        let message = text(&output.stderr);
        assert!(
            message.contains("can be read only once"),
            "{arguments:?}: {message}"
        );
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_log_level_that_is_misspelt_is_refused_wherever_it_stands() {
    let folder = tempdir().expect("a folder");
    let mut command = process(folder.path());
    command.env("FIELDSTONE_LOG", "loud");
    let output = command.args(["key", "list"]).output().expect("it starts");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    let words = "`loud` is no log level; there are error, warn, info";
    assert!(message.contains(words), "{message}");
}

#[test]
fn a_piece_of_a_password_that_is_not_escaped_is_neither_shown_nor_looked_up() {
    let folder = tempdir().expect("a folder");
    for address in [
        "postgres://u:p@ssw0rd-long@127.0.0.1:1/x",
        "postgres://u:p@ssw0rd-long/ssw0rd@127.0.0.1:1/x",
        "postgres://127.0.0.1:1/x?user=u&password=p@ssw0rd-long",
    ] {
        let settings = format!("database = \"{address}\"\n");
        std::fs::write(folder.path().join("own.toml"), settings).expect("written");
        let output = run(folder.path(), &["--config", "own.toml", "check"]);
        let said = text(&output.stderr) + &text(&output.stdout);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("%40") && !said.contains("ssw0rd"), "{said}");
    }
}

#[test]
fn what_the_help_shows_of_a_first_tenant_runs_as_it_stands() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let help = succeed(path, &["--help"]);
    for command in ["init", "check"] {
        let begin = format!("  fieldstone {command}");
        let line = help.lines().find(|line| line.starts_with(&begin));
        let line = line.expect("an example").trim_start();
        // what it is for stands behind a gap
        let example = line.split_once("  ").map_or(line, |(example, _)| example);
        let arguments: Vec<&str> = example.split(' ').skip(1).collect();
        succeed(path, &arguments);
    }
}

#[test]
fn a_key_ends_with_the_beginning_of_a_day() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    succeed(
        path,
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    let create = ["key", "create", "--role", "MEMBER", "--expires"];
    for (name, wanted, shown) in [
        ("a", "2999-01-01", "2999-01-01T00:00:00.000Z"),
        ("b", "2999-01-01T01:00:00+02:00", "2998-12-31T23:00:00.000Z"),
    ] {
        succeed(path, &[&create[..], &[wanted, name]].concat());
        let listed = succeed(path, &["key", "list"]);
        assert!(listed.contains(&format!("expires: {shown}")), "{listed}");
    }
    for wrong in [
        "2999-02-30",
        "2999-1-1",
        "tomorrow",
        "2999-01-01T00:00:00",
        "",
    ] {
        let message = fail(path, &[&create[..], &[wrong, "c"]].concat());
        assert!(
            message.contains("write a day that exists, such as 2027-01-01"),
            "{message}"
        );
        assert!(!message.contains("premature"), "{message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_made_is_told_where_its_secret_could_not_be_printed() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    let key = ["key", "create", "crm", "--role", "MEMBER"];
    let rotate = ["key", "rotate", "crm"];
    let json = [&rotate[..], &["--format", "json"]].concat();
    for (arguments, told) in [
        (&init[..], "the user `admin` was made"),
        (&key, "the API key `crm` was made"),
        (&rotate, "`crm` has a new secret"),
        (&json, "`crm` has a new secret"),
    ] {
        // a disk that is full, and a reader that is gone
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = process(path);
        let command = command.args(["--data", "data"]).args(arguments);
        let output = command.stdout(full.expect("a device")).output();
        let output = output.expect("it starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        let is_told = message.contains(told) && message.contains("No space left");
        assert!(is_told, "{arguments:?}: {message}");
    }
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = process(path);
    let command = command.args(["--data", "data"]).args(rotate);
    let output = command.stdout(writer).output().expect("it starts");
    let message = text(&output.stderr);
    assert!(message.contains("`crm` has a new secret"), "{message}");
    // what has no secret has nothing to tell
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = process(path);
    let command = command.args(["--data", "data", "key", "list"]);
    let output = command.stdout(writer).output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn a_file_that_goes_to_a_reader_who_left_is_told_as_not_whole() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    for (arguments, what) in [
        (&["backup", "-"][..], "the backup is not whole"),
        (&["export", "Places/City/Cities"], "the export is not whole"),
        (&["manifest", "export"], "standard output: Broken pipe"),
        (&["apply", "company.yaml"], "standard output: Broken pipe"),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = process(path);
        let command = command.args(["--data", "data"]).args(arguments);
        let output = command.stdout(writer).output().expect("it starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains(what), "{arguments:?}: {message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_serves_where_its_output_and_its_errors_have_no_room() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let full = || {
        let full = std::fs::File::options().write(true).open("/dev/full");
        full.expect("a device")
    };
    let serve = |has_errors: bool| {
        let mut command = process(path);
        command.args(["--data", "data", "serve", "--listen", "127.0.0.1:0"]);
        command.stdout(full());
        if has_errors {
            command.stderr(std::process::Stdio::piped());
        } else {
            command.stderr(full());
        }
        command.spawn().expect("it starts")
    };
    for has_errors in [true, false] {
        let mut child = serve(has_errors);
        let began = std::time::Instant::now();
        while run(path, &["health"]).status.code() != Some(0) {
            let ended = child.try_wait().expect("a child");
            assert!(ended.is_none(), "it ended: {ended:?}");
            assert!(began.elapsed() < TIMEOUT, "it does not serve");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let id = child.id().to_string();
        let status = std::process::Command::new("kill").arg(&id).status();
        assert!(status.expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        let message = text(&output.stderr);
        assert!(output.status.success(), "{message}");
        if has_errors {
            let is_told = message.contains("can't tell so") && message.contains("standard output");
            assert!(is_told, "{message}");
        }
    }
    // what a command can't tell is no panic either
    let mut command = process(path);
    let command = command.args(["--data", "nowhere", "key", "list"]);
    let output = command.stderr(full()).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_taken_port_and_an_address_that_is_none_say_what_to_do() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let server = Server::start(path, &[]);
    let other = tempdir().expect("a folder");
    for (address, expected, exit) in [
        (server.address(), "another program listens there", 1),
        ("192.0.2.1:0", "it is no address of this machine", 1),
        ("8080", "write it as host and port", 2),
        ("localhost", "write it as host and port", 2),
    ] {
        let output = fieldstone(other.path())
            .args(["serve", "--listen", address])
            .output()
            .expect("it starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(exit), "{message}");
        assert!(message.contains(expected), "{address}: {message}");
    }
    assert!(!other.path().join("fieldstone-data").exists());
}
