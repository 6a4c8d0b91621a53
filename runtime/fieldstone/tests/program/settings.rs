//! Settings: a flag wins over the environment, the environment over the file, the file over the default.

use crate::support::{Server, fail, fieldstone, process, run, succeed, text, write_company};
use std::path::Path;
use std::process::Output;
use tempfile::tempdir;

#[test]
fn a_flag_wins_over_the_environment_that_over_the_file_and_that_over_the_default() {
    let folder = tempdir().expect("a folder");
    std::fs::write(
        folder.path().join("settings.toml"),
        "data = \"from-file\"\n",
    )
    .expect("written");
    let named = |from_file: bool, from_environment: bool, from_flag: bool| {
        let mut command = process(folder.path());
        if from_file {
            command.args(["--config", "settings.toml"]);
        }
        if from_environment {
            command.env("FIELDSTONE_DATA", "from-environment");
        }
        command.args(["key", "list"]);
        if from_flag {
            command.args(["--data", "from-flag"]);
        }
        let message = text(&command.output().expect("it starts").stderr);
        let (_, rest) = message
            .split_once("the data folder ")
            .expect("the folder is named");
        rest.split(' ').next().unwrap_or_default().to_owned()
    };
    assert_eq!(named(false, false, false), "fieldstone-data");
    assert_eq!(named(true, false, false), "from-file");
    assert_eq!(named(false, true, false), "from-environment");
    assert_eq!(named(true, true, false), "from-environment");
    assert_eq!(named(true, true, true), "from-flag");
    assert_eq!(named(true, false, true), "from-flag");
    assert_eq!(named(false, true, true), "from-flag");
}

#[test]
fn a_servers_settings_hold_wherever_they_come_from() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    let made = succeed(
        folder.path(),
        &["key", "create", "k", "--role", "MEMBER", "--area", "*"],
    );
    let key = crate::support::word_after(&made, "shown this once:");
    let settings =
        "data = \"data\"\nlisten = \"127.0.0.1:0\"\npage-size = 1\nlog-format = \"json\"\n";
    std::fs::write(folder.path().join("settings.toml"), settings).expect("written");
    let items = |flags: &[&str], environment: &str| {
        let mut command = process(folder.path());
        command
            .args(["serve", "--config", "settings.toml"])
            .args(flags);
        if !environment.is_empty() {
            command.env("FIELDSTONE_PAGE_SIZE", environment);
        }
        let server = Server::spawn(command);
        let answer = server.get(key, "/v1/my/businessareas");
        let page = answer.json();
        let id = answer.header("x-request-id").expect("an id").to_owned();
        let log = server.stop();
        let lines: Result<Vec<serde_json::Value>, _> =
            log.lines().map(serde_json::from_str).collect();
        let lines = lines.expect("every line of the log is JSON");
        assert!(
            lines.iter().any(|line| line.to_string().contains(&id)),
            "{id} in {log}"
        );
        assert!(!log.contains(key), "no credential in the log");
        page["items"].as_array().expect("items").len()
    };
    assert_eq!(items(&[], ""), 1);
    assert_eq!(items(&[], "2"), 2);
    assert_eq!(items(&["--page-size", "1"], "2"), 1);
}

#[test]
fn a_mistake_in_the_file_is_told_with_the_file_and_the_name() {
    let folder = tempdir().expect("a folder");
    let cases = [
        ("lisen = \"127.0.0.1:0\"", "there is no setting `lisen`"),
        (
            "page-size = \"many\"",
            "invalid value 'many' for '--page-size",
        ),
        (
            "log-format = \"xml\"",
            "invalid value 'xml' for '--log-format",
        ),
        ("demo = 3", "invalid value '3' for '--demo"),
        (
            "listen = [\"a\"]",
            "`listen` must be a text, a whole number, true or false",
        ),
        ("config = \"other.toml\"", "there is no setting `config`"),
        ("listen", "is no TOML"),
    ];
    for (settings, expected) in cases {
        std::fs::write(folder.path().join("settings.toml"), settings).expect("written");
        let mut command = fieldstone(folder.path());
        let output = command
            .args(["serve", "--config", "settings.toml"])
            .output()
            .expect("it starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{settings}: {message}");
        assert!(
            message.contains("settings.toml") && message.contains(expected),
            "{settings}: {message}"
        );
    }
}

#[test]
fn a_secret_in_a_line_that_cannot_be_read_is_not_told() {
    let folder = tempdir().expect("a folder");
    for line in [
        "s3-secret-access-key = geheim",
        "s3-secret-access-key = \"geheim",
        "s3-secret-access-key = [\"geheim\"]",
        "s3-secret-access-key \"geheim\"",
    ] {
        let settings = format!("page-size = 5\n{line}\n");
        std::fs::write(folder.path().join("settings.toml"), settings).expect("written");
        let mut command = fieldstone(folder.path());
        command.args(["serve", "--config", "settings.toml"]);
        let output = command.output().expect("it starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {message}");
        assert!(!message.contains("geheim"), "{message}");
        let place = message.contains("line 2") || message.contains("`s3-secret-access-key`");
        assert!(place, "{message}");
    }
}

/// What `--help` prints, on one line however it was wrapped.
fn help(folder: &Path, arguments: &[&str]) -> String {
    let mut command = process(folder);
    command.env_remove("FIELDSTONE_DEMO_RECORDS");
    let output = command.args(arguments).output().expect("it starts");
    assert!(output.status.success());
    on_one_line(&output)
}

fn on_one_line(output: &Output) -> String {
    let words = text(&output.stdout);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) const WITH_DEFAULT: &[(&str, &str)] = &[
    ("--store-warn-bytes", "100000000000"),
    ("--database-answer-seconds", "15"),
    ("--database-connections", "16"),
    ("--import-bytes-max", "4294967296"),
    ("--import-unpacked-times", "100"),
    ("--job-files-days", "7"),
    ("--job-waiting-max", "20"),
    ("--job-workers", "2"),
    ("--backup-every", "24"),
    ("--backup-keep", "7"),
    ("--webhook-dead-days", "5"),
    ("--data", "fieldstone-data"),
    ("--format", "text"),
    ("--log", "info"),
    ("--log-format", "text"),
    ("--log-sample", "1"),
    ("--listen", "127.0.0.1:8080"),
    ("--page-size", "100"),
    ("--pages-path", "/app"),
    ("--page-size-max", "1000"),
    ("--page-bytes", "16777216"),
    ("--body-bytes-max", "1048576"),
    ("--operation-bytes-max", "67108864"),
    ("--bulk-bytes-max", "33554432"),
    ("--body-seconds", "30"),
    ("--head-seconds", "30"),
    ("--stop-seconds", "30"),
    ("--session-idle-seconds", "7200"),
    ("--proof-seconds", "900"),
    ("--initial-password-hours", "72"),
    ("--answer-seconds", "30"),
    ("--answer-bytes-per-second-min", "16384"),
    ("--file-bytes-max", "104857600"),
    ("--link-seconds", "900"),
    ("--orphan-seconds", "86400"),
    ("--s3-region", "us-east-1"),
    ("--search-seconds", "10"),
    ("--quota-records", "100000000"),
    ("--quota-file-bytes", "1099511627776"),
    ("--quota-schema-versions", "10000"),
    ("--quota-domain-codes", "5000000"),
    ("--quota-sessions", "10000"),
    ("--quota-job-bytes", "107374182400"),
    ("--quota-catalog-bytes", "268435456"),
    ("--quota-resources", "20000"),
    ("--quota-webhooks", "1000"),
    ("--traces-percent", "100"),
    ("--demo-records", "200000"),
];

pub(crate) const WITHOUT_DEFAULT: &[&str] = &[
    "--database",
    "--database-password-file",
    "--database-root-certificates",
    "--backup-keep-days",
    "--job-running-max",
    "--keep-audit-days",
    "--keep-changes-days",
    "--keep-deleted-days",
    "--no-revalidation",
    "--backup-dir",
    "--metrics-listen",
    "--webhooks-to-private-addresses",
    "--accept-bearer",
    "--allow-plain-links",
    "--breached-passwords",
    "--config",
    "--connections-max",
    "--connections-per-address-max",
    "--cors-origin",
    "--demo",
    "--memory-budget-bytes",
    "--page-cache-bytes",
    "--public-url",
    "--read-only",
    "--record-cache-bytes",
    "--requests-per-second-max",
    "--s3-access-key-id",
    "--s3-bucket",
    "--s3-endpoint",
    "--s3-prefix",
    "--s3-secret-access-key",
    "--s3-secret-access-key-file",
    "--signing-secret-file",
    "--tls-cert",
    "--tls-key",
    "--traces-to",
    "--trusted-proxy",
];

#[test]
fn help_lists_every_setting_with_its_default_and_its_variable() {
    let folder = tempdir().expect("a folder");
    let all = help(folder.path(), &["serve", "--help"]);
    let variable = |flag: &str| {
        let name = flag.trim_start_matches('-').replace('-', "_");
        format!("[env: FIELDSTONE_{}", name.to_uppercase())
    };
    for (flag, default) in WITH_DEFAULT {
        let shown = format!("{}=] [default: {default}", variable(flag));
        assert!(
            all.contains(flag) && all.contains(&shown),
            "{shown} in {all}"
        );
    }
    for flag in WITHOUT_DEFAULT {
        assert!(
            all.contains(flag) && all.contains(&variable(flag)),
            "{flag} in {all}"
        );
    }
    let listed = WITH_DEFAULT.len() + WITHOUT_DEFAULT.len();
    let settings = all.matches("[env: FIELDSTONE_").count();
    assert_eq!(
        settings, listed,
        "every setting stands in the lists above: {all}"
    );
}

#[test]
fn a_variable_says_the_format_of_what_is_wrong_with_the_command_line() {
    let folder = tempdir().expect("a folder");
    let mut command = process(folder.path());
    command.env("FIELDSTONE_FORMAT", "json");
    let refused = command.args(["kee", "list"]).output().expect("it starts");
    let told: serde_json::Value = serde_json::from_slice(&refused.stdout).expect("JSON");
    assert_eq!(told["error"]["code"], "usage", "{told}");
}

#[test]
fn a_password_of_a_file_wins_over_that_of_a_variable() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    std::fs::write(path.join("password.txt"), "of the file it is").expect("written");
    for (tenant, flags, expected) in [
        (
            "Acme",
            &["--password-file", "password.txt"][..],
            "of the file it is",
        ),
        ("Bolt", &[], "of the environment"),
    ] {
        let mut init = process(path);
        init.env("FIELDSTONE_PASSWORD", "of the environment");
        init.args(["--data", "data", "init", "--email", "a@example.com"]);
        init.args(["--tenant", tenant, "--username", tenant])
            .args(flags);
        let made = init.output().expect("it starts");
        assert!(made.status.success(), "{}", text(&made.stderr));
        let server = Server::start(path, &[]);
        let body = serde_json::json!({"tenant": tenant, "username": tenant, "password": expected});
        let sessions = "/admin/api/v1/sessions";
        let entered = server.send("POST", "", sessions, &body.to_string());
        assert_eq!(entered.status, 200, "{tenant}: {}", entered.body);
        server.stop();
    }
}

#[test]
fn a_variable_that_is_empty_is_as_if_it_were_not_there() {
    let folder = tempdir().expect("a folder");
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    succeed(folder.path(), &init);
    // as a file for containers gives those that nobody filled in
    let names = WITH_DEFAULT.iter().map(|(flag, _)| *flag);
    let names = names.chain(WITHOUT_DEFAULT.iter().copied());
    let empty = |command: &mut std::process::Command| {
        for flag in names.clone() {
            let name = flag.trim_start_matches('-').replace('-', "_");
            command.env(format!("FIELDSTONE_{}", name.to_uppercase()), "");
        }
        for name in ["FIELDSTONE_SERVER", "FIELDSTONE_KEY", "FIELDSTONE_CA_FILE"] {
            command.env(name, "");
        }
    };
    let mut serve = process(folder.path());
    empty(&mut serve);
    serve.args(["--data", "data", "serve", "--listen", "127.0.0.1:0"]);
    let server = Server::spawn(serve);
    assert_eq!(server.get("", "/readyz").status, 200);
    server.stop();
    let mut list = process(folder.path());
    empty(&mut list);
    let listed = list.args(["--data", "data", "key", "list"]).output();
    let listed = listed.expect("it starts");
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    // and the help names it all the same
    let mut help = process(folder.path());
    empty(&mut help);
    let help = help.args(["serve", "--help"]).output().expect("it starts");
    assert!(text(&help.stdout).contains("[env: FIELDSTONE_BACKUP_DIR=]"));
}

#[test]
fn help_shows_the_defaults_of_the_file_it_is_told_of() {
    let folder = tempdir().expect("a folder");
    let settings = "listen = \"127.0.0.1:7\"\n";
    std::fs::write(folder.path().join("settings.toml"), settings).expect("written");
    let help = ["serve", "--help", "--config", "settings.toml"];
    let all = on_one_line(&run(folder.path(), &help));
    assert!(all.contains("[default: 127.0.0.1:7]"), "{all}");
}

#[test]
fn a_list_of_breached_passwords_is_asked_by_commands_and_one_that_is_none_refuses_the_start() {
    let folder = tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    let listed = "known since the breach";
    let of_it = "15B6A4D655A81A24843287068DDB8005645FE288:7";
    let other = "C0FFEE8B5B2E8E4A0C9F8D6C3B2A1908F7E6D5C4:1";
    write("list.txt", &format!("{of_it}\r\n{other}\r\n"));
    write("unsorted.txt", &format!("{other}\n{of_it}\n"));
    for (list, told) in [
        ("gone.txt", "can't read"),
        ("unsorted.txt", "ordered by hash"),
        (".", "it is no file"),
    ] {
        let message = fail(folder.path(), &["serve", "--breached-passwords", list]);
        assert!(
            message.contains(told) && message.contains(list),
            "{message}"
        );
        assert!(!folder.path().join("data").exists());
    }
    write("password.txt", listed);
    let init = [
        "init",
        "--tenant",
        "Acme",
        "--email",
        "a@example.com",
        "--password-file",
        "password.txt",
    ];
    let list = ["--breached-passwords", "list.txt"];
    let message = fail(folder.path(), &[&init[..], &list].concat());
    assert!(message.contains("became known"), "{message}");
    write("password.txt", "known to nobody else");
    succeed(folder.path(), &[&init[..], &list].concat());
}
