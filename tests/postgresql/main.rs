//! Every conformance case through the PostgreSQL export of its schema, in a real PostgreSQL that is started for it: what a
//! schema takes for clean, the table takes; where it takes more, `refused.tsv` says how often, rule by rule. Where the
//! machine has no PostgreSQL the test is counted as ignored and says so; where `CI` is set, it fails.

use generator::{Target, export};
use libtest_mimic::{Arguments, Failed, Trial};
use runtime::schema::{Field, Origin, Schema};
use runtime::validate::{Checked, Checker};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tests::cluster::{self, Cluster};
use tests::conformance::{Case, for_every_case};

const NAME: &str =
    "no_table_of_postgresql_is_stricter_than_its_schema_and_what_is_looser_is_counted";

fn main() {
    let arguments = Arguments::from_args();
    let is_ci = std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false");
    let trial = match cluster::programs() {
        Some(folder) => Trial::test(NAME, move || run(&folder).map_err(Failed::from)),
        None if is_ci => Trial::test(NAME, || Err(Failed::from("there is no PostgreSQL"))),
        None => Trial::test(NAME, || Ok(()))
            .with_kind("ignored, because there is no PostgreSQL; Debian's package is `postgresql`")
            .with_ignored_flag(true),
    };
    libtest_mimic::run(&arguments, vec![trial]).exit();
}

/// A case whose body is a record.
struct Asked {
    name: String,
    schema: Schema,
    record: Value,
    /// The code of its only fault; none if it is clean, and nothing is asked of one with more.
    rule: Option<&'static str>,
    lacks_key: bool,
}

fn run(programs: &std::path::Path) -> Result<(), String> {
    let mut all = Vec::new();
    for_every_case(|case| {
        all.extend(asked(case));
        Ok(())
    });
    let statements = all.iter().enumerate();
    let statements: String = statements
        .map(|(number, one)| statements_of(number, one))
        .collect();
    let cluster = Cluster::start(programs)?;
    // each says itself how it ended
    let printed = cluster.run(&format!("\\set ON_ERROR_STOP 0\n{statements}"))?;
    let answers = answers(&printed);
    if answers.len() != all.len() {
        return Err(format!("{} answers to {} cases", answers.len(), all.len()));
    }
    let (mut clean, mut wrong) = (0, Vec::new());
    let mut rules: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (one, answer) in all.iter().zip(&answers) {
        // a table that can't be made ends the transaction
        let is_made = *answer != "25P02";
        let is_taken = *answer == "00000";
        match one.rule {
            _ if !is_made => wrong.push(format!("no table: {}", one.name)),
            None => {
                clean += 1;
                if !is_taken && !one.lacks_key {
                    wrong.push(format!("stricter ({answer}): {} {}", one.name, one.record));
                }
            }
            Some(rule) => {
                let [cases, refused] = rules.entry(rule).or_default();
                *cases += 1;
                *refused += usize::from(!is_taken);
            }
        }
    }
    if !wrong.is_empty() || clean < 300 {
        return Err(format!("{clean} clean\n{}", wrong.join("\n")));
    }
    let found = rules
        .iter()
        .map(|(rule, [cases, refused])| format!("{rule}\t{cases}\t{refused}\n"));
    let found: String = found.collect();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("postgresql/refused.tsv");
    let told = std::fs::read_to_string(&path).unwrap_or_default();
    let (head, counts) = told.split_once('\n').unwrap_or_default();
    if std::env::var_os("UPDATE_EXPORTS").is_some() {
        std::fs::write(&path, format!("{head}\n{found}")).expect("it is written");
    } else if counts != found {
        return Err(format!("run it with UPDATE_EXPORTS=1 and review:\n{found}"));
    }
    Ok(())
}

fn asked(case: &Case<'_>) -> Option<Asked> {
    let document = case.document.to_string();
    let schema = Schema::read(&document, Origin::Elsewhere).ok()?.schema;
    let checker = Checker::new(&schema).ok()?;
    let checked: Checked = match case.update() {
        None => checker.check_with(&case.input(), case.lookups()).ok()?,
        Some((stored, change)) => {
            let merged = checker.merge(stored, change.as_bytes(), case.lookups());
            merged.ok()?.checked
        }
    };
    let rule = match checked.faults() {
        [] => None,
        [fault] => Some(fault.rule().code()),
        _ => return None,
    };
    let record = serde_json::from_str(checked.normal_form()).ok()?;
    // a table has columns
    schema.active_fields().next()?;
    Some(Asked {
        name: format!("{} {}", case.file, case.told["name"]),
        lacks_key: schema.primary_key().is_some() && checked.primary_key().is_none(),
        schema,
        record,
        rule,
    })
}

/// What a case asks: a table, a row, and how that ended; nothing stays.
fn statements_of(number: usize, one: &Asked) -> String {
    let table = export(&one.schema, Target::Postgresql).unwrap();
    let name = one.schema.name.replace('"', "\"\"");
    let values: Vec<_> = one
        .schema
        .active_fields()
        .map(|field| literal(field, &one.record[&field.name]))
        .collect();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "BEGIN;\n{table}\nINSERT INTO \"{name}\" VALUES ({});\n\\echo @ {number} :SQLSTATE\nROLLBACK;",
        values.join(",")
    );
    out
}

/// A value as a program would bind it.
fn literal(field: &Field, value: &Value) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    match value {
        Value::Null => "NULL".to_owned(),
        value if field.is_multivalue() => quoted(&value.to_string()),
        Value::String(text) => quoted(text),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(_) | Value::Object(_) => quoted(&value.to_string()),
    }
}

/// The states that the rows ended with, in order.
fn answers(printed: &str) -> Vec<&str> {
    let lines = printed.lines().filter_map(|line| line.strip_prefix("@ "));
    lines
        .filter_map(|line| line.split_once(' '))
        .map(|(_, state)| state.trim())
        .collect()
}
