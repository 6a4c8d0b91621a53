//! `generator explain`: a field of a schema as code, with the reasons: its name, its type, what a value is to be and with
//! which words it is refused. It decides nothing: names are the library's, rules the engine's.

use crate::data_files::Failure;
use crate::findings::{Finding, FormatOption, Reporter};
use crate::schema_file;
use engine::validate::{Rule, rules_of};
use generator::Lock;
use schema::{Field, Path, Schema};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  generator explain airport.json Elevation   one field, by name or fieldId
  generator explain airport.json             every field
  generator explain airport.json --lock names.lock
                                             by the identifiers that a lock keeps

Exit codes:
  0  explained
  2  wrong usage, an invalid schema, or no such field";

/// Tell why a field has its name and type, and with which rules and messages values are refused
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A schema document, or `-` for standard input
    #[arg(value_name = "SCHEMA")]
    schema: PathBuf,

    /// A field, by its name or id; without one, all of them
    #[arg(value_name = "FIELD")]
    field: Option<String>,

    /// The file that keeps identifiers, where types are generated with one
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: FormatOption,
}

/// Explains fields.
pub(crate) fn explain(arguments: &Arguments, reporter: &Reporter) -> Result<bool, Failure> {
    let (name, schema) = schema_file::read(&arguments.schema, "explain", reporter)?;
    let lock = arguments
        .lock
        .as_deref()
        .map_or_else(|| Ok(Lock::new()), read_lock)?;
    let names = generator::field_names(&schema, &lock)
        .map_err(|error| Failure::new(error.to_string(), "mend the schema first"))?;
    let wanted = arguments.field.as_deref();
    let fields = schema.fields.iter().zip(names).enumerate();
    let chosen: Vec<_> = fields
        .filter(|(_, (field, _))| wanted.is_none_or(|it| generator::is_told(&schema, field, it)))
        .collect();
    if chosen.is_empty() && wanted.is_some() {
        return Err(missing(&schema, &name));
    }
    let mut out = String::new();
    for (at, (field, names)) in chosen {
        let facts = facts(field, names.as_ref());
        let rules = names.map_or_else(Vec::new, |_| rules_of(field));
        if !reporter.is_json() {
            human(&mut out, field, &facts, &rules);
            continue;
        }
        let of_rules = rules
            .iter()
            .map(|rule| Fact::new(rule.code(), rule.to_string()));
        for fact in facts.into_iter().chain(of_rules) {
            let finding = Finding {
                schema: Some(schema.name.clone()),
                field: Some(field.name.clone()),
                path: Some(Path::field(at).to_string()),
                message: fact.text,
                help: (!fact.reasons.is_empty()).then(|| fact.reasons.join("; ")),
                ..Finding::of_file(fact.code, &name)
            };
            let _ = writeln!(out, "{finding}");
        }
    }
    let written = anstream::stdout().write_all(out.as_bytes());
    written.map_err(|error| Failure::output(&error))?;
    Ok(true)
}

/// A lock that is there: generating begins one that is not.
fn read_lock(path: &std::path::Path) -> Result<Lock, Failure> {
    if !path.exists() {
        let message = format!("there is no lock file {}", path.display());
        return Err(Failure::new(message, "mend the path"));
    }
    generator::read_lock(path)
        .map_err(|error| Failure::new(error.to_string(), "mend the lock first"))
}

fn missing(schema: &Schema, file: &str) -> Failure {
    let names: Vec<_> = schema
        .fields
        .iter()
        .map(|field| format!("{:?}", field.name))
        .collect();
    Failure::new(
        format!("{file} has no field of that name or id"),
        format!("it has {}", names.join(", ")),
    )
}

/// Something about a field.
struct Fact {
    code: &'static str,
    text: String,
    /// Why it is so.
    reasons: Vec<String>,
}

impl Fact {
    fn new(code: &'static str, text: impl Into<String>) -> Self {
        Fact {
            code,
            text: text.into(),
            reasons: Vec::new(),
        }
    }
}

/// The name and the type of a field, with the reasons.
fn facts(field: &Field, names: Option<&generator::FieldName>) -> Vec<Fact> {
    let Some(names) = names else {
        let text = "records don't have it, and it is no field of the struct";
        return vec![Fact::new("not_active", text)];
    };
    let holder = match (field.is_multivalue(), field.required) {
        (true, _) => "it has several values, isMultivalue",
        (false, true) => "it is never missing, isRequired",
        (false, false) => "it may be missing, as it is not isRequired",
    };
    let (data_type, value_type) = (field.data_type, &names.value_type);
    let of_values = format!("values of the type {data_type} are {value_type}");
    let name = Fact {
        reasons: names.causes.iter().map(ToString::to_string).collect(),
        ..Fact::new("name", &names.name)
    };
    let rust_type = Fact {
        reasons: vec![of_values, holder.to_owned()],
        ..Fact::new("type", &names.rust_type)
    };
    let text = "trimmed, unique, at most 1024 bytes; a record without one is refused";
    let key = field.primary_key.then(|| Fact::new("primary_key", text));
    [name, rust_type].into_iter().chain(key).collect()
}

fn human(out: &mut String, field: &Field, facts: &[Fact], rules: &[Rule]) {
    let _ = writeln!(out, "{:?} ({})", field.name, field.id);
    for Fact {
        code,
        text,
        reasons,
    } in facts
    {
        let _ = writeln!(out, "  {}: {text}", code.replace('_', " "));
        for reason in reasons {
            let _ = writeln!(out, "    because {reason}");
        }
    }
    if !rules.is_empty() {
        out.push_str("  values are refused with\n");
    }
    for rule in rules {
        let _ = writeln!(out, "    {rule} [{}]", rule.code());
    }
    out.push('\n');
}
