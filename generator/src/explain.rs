//! `generator explain`: a field of a schema as code, with the reasons: its name, its type, what a value is to be and with
//! which words it is refused. It decides nothing: names are the library's, rules the engine's.

use crate::data_files::Failure;
use crate::schema_file;
use engine::validate::rules_of;
use generator::{Lock, Palette};
use schema::{Field, Schema};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  generator explain airport.json Elevation   one field, by name or fieldId
  generator explain airport.json             every field
  generator explain airport.json --lock names.lock
                                             by the identifiers that a lock keeps

Exit codes: 0 explained, 2 wrong usage, an invalid schema, or no such field";

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
}

/// Explains fields.
pub(crate) fn explain(arguments: &Arguments, palette: &Palette) -> Result<bool, Failure> {
    let (name, schema) = schema_file::read(&arguments.schema, "explain", palette)?;
    let lock = arguments
        .lock
        .as_deref()
        .map_or_else(|| Ok(Lock::new()), read_lock)?;
    let names = generator::field_names(&schema, &lock)
        .map_err(|error| Failure::new(error.to_string(), "mend the schema first"))?;
    let wanted = arguments.field.as_deref();
    let fields = schema.fields.iter().zip(names);
    let chosen: Vec<_> = fields
        .filter(|(field, _)| wanted.is_none_or(|it| generator::is_told(&schema, field, it)))
        .collect();
    if chosen.is_empty() && wanted.is_some() {
        return Err(missing(&schema, &name));
    }
    let mut out = String::new();
    for (field, name) in chosen {
        one(&mut out, field, name.as_ref());
    }
    let written = anstream::stdout().write_all(out.as_bytes());
    written.map_err(|error| Failure::output(&error))?;
    Ok(true)
}

/// A lock that is there: generating begins one that is not.
fn read_lock(path: &Path) -> Result<Lock, Failure> {
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

fn one(out: &mut String, field: &Field, names: Option<&generator::FieldName>) {
    let _ = writeln!(out, "{:?} ({})", field.name, field.id);
    let Some(names) = names else {
        out.push_str("  not active: records don't have it, and it is no field of the struct\n\n");
        return;
    };
    let _ = writeln!(out, "  name: {}", names.name);
    for cause in &names.causes {
        let _ = writeln!(out, "    because {cause}");
    }
    let _ = writeln!(out, "  type: {}", names.rust_type);
    let data_type = field.data_type;
    let _ = writeln!(
        out,
        "    because values of the type {data_type} are {}",
        names.value_type
    );
    let holder = match (field.is_multivalue(), field.required) {
        (true, _) => "it has several values, isMultivalue",
        (false, true) => "it is never missing, isRequired",
        (false, false) => "it may be missing, as it is not isRequired",
    };
    let _ = writeln!(out, "    because {holder}");
    if field.primary_key {
        out.push_str(
            "  primary key: trimmed, unique, at most 1024 bytes; a record without one is refused\n",
        );
    }
    out.push_str("  values are refused with\n");
    for rule in rules_of(field) {
        let _ = writeln!(out, "    {rule} [{}]", rule.code());
    }
    out.push('\n');
}
