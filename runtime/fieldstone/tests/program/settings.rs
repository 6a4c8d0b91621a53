//! Settings: a flag wins over the environment, the environment over the file, the file over the default.

use crate::support::{Server, done, fieldstone, text, write_company};
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
        let mut command = fieldstone(folder.path());
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
        let told = text(&command.output().expect("it starts").stderr);
        let (_, rest) = told
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
    done(folder.path(), &["apply", "company.yaml"]);
    let made = done(
        folder.path(),
        &["key", "create", "k", "--role", "MEMBER", "--area", "*"],
    );
    let key = crate::support::behind(&made, "shown this once:");
    let settings =
        "data = \"data\"\nlisten = \"127.0.0.1:0\"\npage-size = 1\nlog-format = \"json\"\n";
    std::fs::write(folder.path().join("settings.toml"), settings).expect("written");
    let items = |flags: &[&str], environment: &str| {
        let mut command = fieldstone(folder.path());
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
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{settings}: {told}");
        assert!(
            told.contains("settings.toml") && told.contains(expected),
            "{settings}: {told}"
        );
    }
}

#[test]
fn help_lists_every_setting_with_its_default_and_its_variable() {
    let folder = tempdir().expect("a folder");
    let help = |arguments: &[&str]| {
        let output = fieldstone(folder.path())
            .args(arguments)
            .output()
            .expect("it starts");
        assert!(output.status.success());
        // one line a setting, however it was wrapped
        text(&output.stdout)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let all = help(&["serve", "--help"]);
    let settings = [
        ("--data", "fieldstone-data"),
        ("--log", "info"),
        ("--log-format", "text"),
        ("--listen", "127.0.0.1:8080"),
        ("--page-size", "100"),
        ("--page-size-max", "1000"),
        ("--body-bytes-max", "1048576"),
        ("--body-seconds", "30"),
        ("--head-seconds", "30"),
        ("--stop-seconds", "30"),
        ("--file-bytes-max", "104857600"),
        ("--link-seconds", "900"),
        ("--orphan-seconds", "86400"),
        ("--s3-region", "us-east-1"),
    ];
    for (flag, default) in settings {
        let variable = flag
            .trim_start_matches('-')
            .replace('-', "_")
            .to_uppercase();
        let shown = format!("[env: FIELDSTONE_{variable}=] [default: {default}");
        assert!(
            all.contains(flag) && all.contains(&shown),
            "{flag}: {shown} in {all}"
        );
    }
    for flag in [
        "--demo",
        "--public-url",
        "--tls-cert",
        "--tls-key",
        "--config",
        "--s3-bucket",
        "--s3-prefix",
        "--s3-endpoint",
        "--s3-access-key-id",
    ] {
        let variable = flag
            .trim_start_matches('-')
            .replace('-', "_")
            .to_uppercase();
        assert!(
            all.contains(&format!("[env: FIELDSTONE_{variable}=]")),
            "{flag}"
        );
    }
    // no variable stands beside a setting that is not listed here
    assert_eq!(
        all.matches("[env: FIELDSTONE_").count(),
        settings.len() + 10,
        "{all}"
    );
    std::fs::write(
        folder.path().join("settings.toml"),
        "listen = \"127.0.0.1:7\"\n",
    )
    .expect("written");
    let all = help(&["serve", "--help", "--config", "settings.toml"]);
    assert!(
        all.contains("[default: 127.0.0.1:7]"),
        "what holds is shown: {all}"
    );
}
