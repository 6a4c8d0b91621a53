//! The folder of generated files: runs at the same time, files as Windows has them, what a run tells and what it
//! leaves unsaid.

use crate::support::{command, field, folder, names, run, schema, simple, text};
use generator::Config;
use std::fs;

#[test]
fn runs_at_the_same_time_come_one_after_the_other_and_lose_no_file() {
    let folder = folder();
    for round in 0..12 {
        let runs: Vec<_> = [&["a.json"][..], &["b.json"], &["a.json", "b.json"]]
            .iter()
            .cycle()
            .take(9)
            .map(|schemas| {
                let arguments = [schemas, &["--out", "gen", "--quiet"][..]].concat();
                command(&arguments, folder.path()).spawn().unwrap()
            })
            .collect();
        for mut run in runs {
            assert_eq!(run.wait().unwrap().code(), Some(0));
        }
        let out = folder.path().join("gen");
        let there = names(&out);
        let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
        let mut listed: Vec<_> = read("fieldstone.manifest")
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect();
        let mut modules: Vec<_> = read("mod.rs")
            .lines()
            .filter_map(|line| {
                Some(format!(
                    "{}.rs",
                    line.strip_prefix("pub mod ")?.strip_suffix(';')?
                ))
            })
            .collect();
        modules.push("mod.rs".to_owned());
        listed.push("fieldstone.manifest".to_owned());
        listed.sort();
        assert_eq!(there, listed, "round {round}");
        modules.push("fieldstone.manifest".to_owned());
        modules.sort();
        assert_eq!(there, modules, "round {round}");
    }
}

#[test]
fn a_hidden_file_in_a_folder_of_schemas_is_none_of_them() {
    let folder = folder();
    for hidden in [".eslintrc.json", "._a.json"] {
        fs::write(folder.path().join(hidden), "{}").unwrap();
    }
    for arguments in [&["."][..], &["diff", ".", "."]] {
        let told = run(arguments, folder.path());
        assert_eq!(told.status.code(), Some(0), "{}", text(&told.stderr));
    }
    // one that is named is read
    let told = run(&[".eslintrc.json"], folder.path());
    assert_ne!(told.status.code(), Some(0));
}

#[test]
fn files_that_git_checked_out_with_windows_line_ends_are_not_stale() {
    let folder = folder();
    let arguments = ["a.json", "b.json", "--out", "gen"];
    assert_eq!(run(&arguments, folder.path()).status.code(), Some(0));
    let out = folder.path().join("gen");
    for name in names(&out) {
        let unix = fs::read_to_string(out.join(&name)).unwrap();
        fs::write(out.join(&name), unix.replace('\n', "\r\n")).unwrap();
    }
    let check = [&arguments[..], &["--check"]].concat();
    let checked = run(&check, folder.path());
    assert_eq!(text(&checked.stdout), "");
    assert_eq!(checked.status.code(), Some(0));
    assert_eq!(text(&run(&arguments, folder.path()).stderr), "");
    // and where something is stale, only that is shown
    let wider = simple("s1", "Alpha").replace("Size", "Width");
    fs::write(folder.path().join("a.json"), wider).unwrap();
    let shown = text(&run(&check, folder.path()).stdout);
    assert!(shown.contains("+    pub width: Option<i64>,"), "{shown}");
    assert!(!shown.contains("-use runtime"), "{shown}");
}

#[test]
fn the_help_says_that_a_folder_holds_the_schemas_of_one_run() {
    let folder = folder();
    let help = text(&run(&["--help"], folder.path()).stdout);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("name all of them in one run"), "{help}");
    let told = run(&["a.json", "--out", "gen"], folder.path());
    assert!(text(&told.stderr).contains("wrote gen/alpha.rs"));
    let told = text(&run(&["b.json", "--out", "gen"], folder.path()).stderr);
    assert!(told.contains("removed gen/alpha.rs"), "{told}");
}

/// A schema of many fields that each have a setting which means nothing.
fn odd(count: usize) -> String {
    let fields: Vec<_> = (0..count)
        .map(|n| {
            let more = r#","maxSize":3"#;
            field(&format!("f{n}"), &format!("Field {n}"), "boolean", more) + "\n"
        })
        .collect();
    schema("s1", "Odd", &fields)
}

#[test]
fn a_warning_of_500_fields_is_told_once_and_a_quiet_run_tells_none() {
    let folder = folder();
    fs::write(folder.path().join("odd.json"), odd(500)).unwrap();
    let told = text(&run(&["odd.json", "--out", "gen"], folder.path()).stderr);
    assert_eq!(told.matches("warning").count(), 1, "{told}");
    assert!(told.contains("and 496 more"), "{told}");
    let quiet = run(&["odd.json", "--out", "other", "--quiet"], folder.path());
    assert_eq!(text(&quiet.stderr), "");
    assert_eq!(quiet.status.code(), Some(0));
    fs::write(folder.path().join("bad.json"), "{").unwrap();
    let quiet = run(&["bad.json", "--quiet"], folder.path());
    assert!(text(&quiet.stderr).starts_with("error"));
    assert_eq!(quiet.status.code(), Some(1));
}

#[test]
fn a_runtime_is_a_path_without_arguments() {
    let folder = folder();
    for path in ["crate::a<T>", "a::<T>::b", "a(T)", "<T as U>::a", ""] {
        let refused = run(&["a.json", "--runtime", path], folder.path());
        assert_eq!(refused.status.code(), Some(2), "{path}");
        let error = text(&refused.stderr);
        assert!(
            error.contains("is not the path of a crate or module"),
            "{error}"
        );
        assert_eq!(text(&refused.stdout), "");
    }
    for path in ["crate::fieldstone", "::fieldstone", "super::r#type"] {
        let printed = run(&["a.json", "--runtime", path], folder.path());
        assert_eq!(printed.status.code(), Some(0), "{path}");
    }
}

#[test]
#[cfg(unix)]
fn a_line_break_in_the_name_of_a_schema_file_is_no_instruction_to_cargo() {
    let folder = tempfile::tempdir().unwrap();
    let schemas = folder.path().join("schemas");
    fs::create_dir(&schemas).unwrap();
    let name = "a\ncargo::rustc-env=EVIL=1\n.json";
    fs::write(schemas.join(name), simple("s1", "Alpha")).unwrap();
    let out = folder.path().join("out");
    let refused = Config::new().schemas(&schemas).out_dir(&out).generate();
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("has a line break"), "{error}");
    assert!(!error.contains(name), "{error}");
    assert!(!out.exists());
}
