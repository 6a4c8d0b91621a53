//! The file of rejected records: what it may not be, and when an older one is replaced; and where no command writes.

use crate::support::{fail, fieldstone, run, text, write_company};
#[cfg(unix)]
use std::process::Command;
use tempfile::tempdir;

#[test]
fn a_file_that_an_application_reads_is_never_its_file_of_rejects() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    std::fs::write(path.join("settings.toml"), "").expect("written");
    std::fs::hard_link(path.join("cities.ndjson"), path.join("hard")).expect("a link");
    #[cfg(unix)]
    std::os::unix::fs::symlink("city.json", path.join("soft")).expect("a link");
    let read = |name: &str| std::fs::read_to_string(path.join(name)).expect("a file");
    let names = [
        "company.yaml",
        "city.json",
        "cities.ndjson",
        "./hard",
        "soft",
        "settings.toml",
    ];
    for name in names.into_iter().filter(|name| path.join(name).exists()) {
        let before = read(name);
        for more in [&["--dry-run"][..], &[]] {
            let apply = [
                "apply",
                "company.yaml",
                "--config",
                "settings.toml",
                "--rejects",
                name,
            ];
            let output = run(path, &[&apply, more].concat());
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{name}: {message}");
            assert!(message.contains("name another file"), "{message}");
            assert_eq!(read(name), before);
        }
    }
    assert!(!path.join("data").exists(), "nothing was done");
}

#[test]
fn an_older_file_of_rejects_stays_until_the_work_has_come_to_its_end() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    std::fs::write(path.join("rejects.ndjson"), "older").expect("written");
    let read = || std::fs::read_to_string(path.join("rejects.ndjson")).expect("a file");
    let apply = |manifest| ["apply", manifest, "--rejects", "rejects.ndjson"];
    let wrong = crate::support::COMPANY.replace("roles: [Clerk]", "roles: [Nobody]");
    std::fs::write(path.join("wrong.yaml"), wrong).expect("written");
    fail(path, &apply("wrong.yaml"));
    assert_eq!(read(), "older");
    let more = "{\"Name\": \"Bonn\"}\n{\"Name\": \"Ulm\", \"Mayor\": 1}\n";
    std::fs::write(path.join("cities.ndjson"), more).expect("written");
    let output = run(path, &apply("company.yaml"));
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(read().contains("\"line\":2"), "{}", read());
    assert_eq!(read().lines().count(), 1);
    let left = std::fs::read_dir(path).expect("a folder");
    assert!(
        left.flatten()
            .all(|it| !it.file_name().to_string_lossy().starts_with(".tmp"))
    );
    // one of the data folder is refused, a pipe is written to
    let within = run(
        path,
        &["apply", "company.yaml", "--rejects", "data/fieldstone.db"],
    );
    assert_eq!(within.status.code(), Some(2), "{}", text(&within.stderr));
    #[cfg(unix)]
    {
        let made = Command::new("mkfifo").arg(path.join("pipe")).status();
        assert!(made.expect("mkfifo runs").success());
        let mut apply = fieldstone(path);
        apply.args(["--data", "data", "apply", "company.yaml"]);
        let apply = apply.args(["--rejects", "pipe"]).begin();
        let shown = std::fs::read_to_string(path.join("pipe")).expect("a pipe");
        assert!(shown.contains("\"line\":2"), "{shown}");
        assert_eq!(apply.output().status.code(), Some(3));
    }
}

#[test]
fn an_import_that_failed_leaves_an_older_file_of_rejects_and_one_without_rejects_empties_it() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    crate::support::succeed(path, &["apply", "company.yaml"]);
    std::fs::write(path.join("bad.csv"), "a;b\n1;2\n").expect("written");
    std::fs::write(path.join("good.csv"), "Name,People\nBonn,1\n").expect("written");
    std::fs::write(path.join("mend.csv"), "mended by hand").expect("written");
    let read = || std::fs::read_to_string(path.join("mend.csv")).expect("a file");
    let import = |name| {
        let into = ["import", name, "--into", "Places/City/Cities"];
        run(path, &[&into[..], &["--rejects", "mend.csv"]].concat())
    };
    // what is written there is neither packed nor a workbook
    for name in ["mend.csv.gz", "mend.XLSX"] {
        let into = ["import", "good.csv", "--into", "Places/City/Cities"];
        let output = run(path, &[&into[..], &["--rejects", name]].concat());
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("it is plain text"), "{told}");
        assert!(!path.join(name).exists(), "{name}");
    }
    let failed = import("bad.csv");
    let told = text(&failed.stderr);
    assert_eq!(failed.status.code(), Some(1), "{told}");
    assert!(told.contains("the import failed"), "{told}");
    assert_eq!(read(), "mended by hand");
    let done = import("good.csv");
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert_eq!(read(), "");
}

#[test]
fn no_command_writes_into_the_data_folder_at_any_depth() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    crate::support::succeed(path, &["apply", "company.yaml"]);
    let content = path.join("data/files/a-dataset/a-file");
    std::fs::create_dir_all(content.parent().expect("a folder")).expect("made");
    std::fs::write(&content, "of a record").expect("written");
    let into = "Places/City/Cities";
    let stored = "data/files/a-dataset/a-file";
    let serve = ["serve", "--tls-cert", "none", "--backup-dir"];
    let cases: [&[&str]; 12] = [
        &["apply", "company.yaml", "--rejects", stored],
        &["apply", "company.yaml", "--rejects", "data/jobs/x"],
        &[
            "import",
            "cities.ndjson",
            "--into",
            into,
            "--rejects",
            stored,
        ],
        &["export", into, stored],
        &["export", into, "data/files/../files/x.csv"],
        &["manifest", "export", "--records", "data"],
        &["manifest", "export", "--records", "data/new/deeper"],
        &["man", "data"],
        &["backup", "data/b.tar.zst"],
        &["backup", "data/new/"],
        &[&serve[..], &["data"]].concat(),
        &[&serve[..], &["data/backups"]].concat(),
    ];
    for arguments in cases {
        let output = run(path, arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains("lies in the data folder"), "{message}");
    }
    let kept = std::fs::read_to_string(&content).expect("a file");
    assert_eq!(kept, "of a record");
    for made in ["new", "backups", "b.tar.zst", "fieldstone.1"] {
        assert!(!path.join("data").join(made).exists(), "{made}");
    }
}
