//! What the page of operations gives to systemd and to packages: it is understood, and the program does its part.

use crate::support::{Server, fieldstone, process, write_company};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::tempdir;

fn given(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operations");
    folder.join(name)
}

#[cfg(target_os = "linux")]
#[test]
fn systemd_is_told_when_the_server_takes_connections_and_when_it_stops() {
    use std::os::unix::net::UnixDatagram;
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let socket = folder.path().join("notify");
    let told = UnixDatagram::bind(&socket).expect("a socket");
    told.set_read_timeout(Some(crate::support::TIMEOUT))
        .expect("set");
    let next = || {
        let mut bytes = [0; 256];
        let length = told.recv(&mut bytes).expect("it is told");
        String::from_utf8_lossy(&bytes[..length]).trim().to_owned()
    };
    let mut command = process(folder.path());
    command.args(["--data", "data", "serve", "--listen", "127.0.0.1:0"]);
    command.env("NOTIFY_SOCKET", &socket);
    let server = Server::spawn(command);
    assert_eq!(next(), "READY=1");
    assert_eq!(server.get("", "/healthz").status, 200);
    server.stop();
    assert_eq!(next(), "STOPPING=1");
}

#[test]
fn the_unit_is_understood_by_systemd_where_that_is_there() {
    let folder = tempdir().expect("a folder");
    let unit = fs::read_to_string(given("fieldstone.service")).expect("the unit");
    let program = env!("CARGO_BIN_EXE_fieldstone");
    let unit = unit.replace("/usr/bin/fieldstone", program);
    let path = folder.path().join("fieldstone.service");
    fs::write(&path, unit).expect("written");
    let verified = Command::new("systemd-analyze")
        .arg("verify")
        .arg("--man=no")
        .arg(&path)
        .output();
    let Ok(verified) = verified else {
        let is_ci = std::env::var_os("CI").is_some();
        assert!(!is_ci, "systemd-analyze is missing: Debian's `systemd`");
        println!("not looked at: there is no systemd-analyze here");
        return;
    };
    let told = crate::support::text(&verified.stderr);
    // a machine that was not booted by systemd lacks units of its own, which is told, too
    let own: Vec<_> = told
        .lines()
        .filter(|line| line.contains("fieldstone.service"))
        .collect();
    assert!(own.is_empty(), "{told}");
}

#[test]
fn folders_that_the_settings_name_are_made_by_the_unit_or_by_the_package() {
    let read = |path: PathBuf| fs::read_to_string(path).expect("the file");
    let unit = read(given("fieldstone.service"));
    let page = read(given("../operations.md"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("debian/postinst");
    let is_understood = Command::new("sh").arg("-n").arg(&script).status();
    assert!(is_understood.expect("a shell").success());
    let script = read(script);
    let state = unit
        .lines()
        .find_map(|line| line.strip_prefix("StateDirectory="));
    let of_unit = format!("/var/lib/{}", state.expect("a folder"));
    let mut seen = 0;
    for settings in [&read(given("fieldstone.toml")), &page] {
        let named = settings
            .lines()
            .filter_map(|line| line.split_once(" = \"/var/")?.1.split_once('"'));
        for (folder, _) in named {
            let folder = format!("/var/{folder}");
            seen += 1;
            if folder == of_unit {
                continue;
            }
            let made = format!("install -d -o fieldstone -g fieldstone -m 0700 {folder}");
            for (place, text) in [("the package", &script), ("the page", &page)] {
                assert!(text.contains(&made), "{place}: {made}");
            }
            let written = format!("ReadWritePaths=-{folder}");
            assert!(unit.lines().any(|line| line == written), "{written}");
        }
    }
    assert_eq!(seen, 4, "data and backups, in the file and on the page");
}

#[test]
fn the_settings_file_of_the_package_is_the_services_to_read_and_nobody_elses() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(own.join(name)).expect("the file");
    let asset = r#"fieldstone.toml", "etc/fieldstone.toml", "640"]"#;
    assert!(read("Cargo.toml").contains(asset));
    let script = read("debian/postinst");
    for line in [
        "chown root:fieldstone /etc/fieldstone.toml",
        "chmod 0640 /etc/fieldstone.toml",
    ] {
        assert!(script.lines().any(|it| it.trim() == line), "{line}");
    }
}

#[test]
fn the_settings_file_of_the_package_is_one_that_the_program_reads() {
    let folder = tempdir().expect("a folder");
    let text = fs::read_to_string(given("fieldstone.toml")).expect("the file");
    // what is only proposed is read, too
    let all = text
        .replace("# public", "public")
        .replace("# backup", "backup");
    let all = all.replace("/var/", &format!("{}/", folder.path().display()));
    let config = folder.path().join("fieldstone.toml");
    fs::write(&config, all).expect("written");
    let mut command = fieldstone(folder.path());
    command.arg("--config").arg(&config);
    command.args(["--data", "data", "serve", "--listen", "127.0.0.1:0"]);
    let server = Server::begin(&mut command);
    assert_eq!(server.get("", "/healthz").status, 200);
    server.stop();
}
