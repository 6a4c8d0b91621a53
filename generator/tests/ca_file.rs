//! `generator fetch --ca-file`: what is read before a service is asked. That a connection trusts what was read is the
//! library's that speaks TLS.

use crate::support::{command, fixtures, text};
use std::fs;
use std::path::Path;

const HTTPS: &str = "https://127.0.0.1:9";

/// What a run without a credential says, which no service is asked for.
fn told(folder: &Path, address: &str, more: &[&str], variable: Option<&str>) -> String {
    let arguments = [&["fetch", address, "--all"][..], more].concat();
    let mut command = command(&arguments, folder);
    for name in [
        "FIELDSTONE_API_KEY",
        "FIELDSTONE_CLIENT_ID",
        "FIELDSTONE_CLIENT_SECRET",
        "FIELDSTONE_CA_FILE",
    ] {
        command.env_remove(name);
    }
    command.envs(variable.map(|file| ("FIELDSTONE_CA_FILE", file)));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    text(&output.stderr)
}

#[test]
fn a_file_of_certificates_is_read_before_a_service_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let one = fs::read_to_string(fixtures().join("certificate.pem")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("two.pem", &format!("{one}{one}"));
    write("none.pem", "no certificate");
    write("broken.pem", &one.replace("MII", "M!!"));
    for (file, expected) in [
        ("two.pem", "there is no credential"),
        ("none.pem", "none.pem holds no certificate (PEM)"),
        ("broken.pem", "can't read certificates from broken.pem: "),
        ("missing.pem", "can't read missing.pem: "),
    ] {
        let option = ["--ca-file", file];
        let by_option = told(folder.path(), HTTPS, &option, Some("missing.pem"));
        assert!(by_option.contains(expected), "{file}: {by_option}");
        let by_variable = told(folder.path(), HTTPS, &[], Some(file));
        assert!(by_variable.contains(expected), "{file}: {by_variable}");
    }
    // without TLS no certificate is asked for
    let plain = told(
        folder.path(),
        "http://127.0.0.1:9",
        &[],
        Some("missing.pem"),
    );
    assert!(plain.contains("there is no credential"), "{plain}");
}
