//! Checks the records of the suites: a test received each answer of the OpenAPI document, but for those that
//! `support/never_given.tsv` lists with a reason. Run it after `cargo test -p tests`: the records are those of the
//! last whole run of each suite.

use std::collections::BTreeSet;
use std::fs;
use std::process::ExitCode;
use tests::answers::{SUITES, documented, never_given, record_of, suite_of};

/// The reason of an answer that only some runs receive begins so.
const BY_CHANCE: &str = "by chance: ";

fn main() -> ExitCode {
    let document = serde_json::from_str(runtime::openapi::document()).expect("a JSON document");
    let (documented, never) = (documented(&document), never_given());
    let mut given = BTreeSet::new();
    for suite in SUITES {
        let path = record_of(suite);
        let Ok(answers) = fs::read_to_string(&path) else {
            let path = path.display();
            eprintln!("no {path}: run the whole suite, cargo test -p tests --test {suite}");
            return ExitCode::from(2);
        };
        for answer in answers.lines() {
            let words: Vec<_> = answer.split(' ').collect();
            if suite_of(words[1]) == suite {
                // an answer with a code is one of its status, too
                given.insert(words[..3].join(" "));
                given.insert(answer.to_owned());
            }
        }
    }
    let mut wrong = Vec::new();
    for answer in documented.difference(&given) {
        if !never.contains_key(answer) {
            wrong.push(format!("documented, and no test receives it: {answer}"));
        }
    }
    for (answer, reason) in &never {
        if !documented.contains(answer) {
            wrong.push(format!("in never_given.tsv, and not documented: {answer}"));
        } else if given.contains(answer) && !reason.starts_with(BY_CHANCE) {
            wrong.push(format!(
                "in never_given.tsv, and a test receives it: {answer}"
            ));
        }
    }
    for line in &wrong {
        eprintln!("{line}");
    }
    println!(
        "{} answers are documented, tests receive {}",
        documented.len(),
        given.len()
    );
    ExitCode::from(u8::from(!wrong.is_empty()))
}
