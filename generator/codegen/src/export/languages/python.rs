//! Python 3.9 and later, for readers of types such as mypy.
//!
//! ```text
//! class CityKind(str, Enum):
//!     """A code of the picklist `Kind`."""
//!
//!     # A port on the sea.
//!     P = "P"
//!
//!
//! City = TypedDict(
//!     "City",
//!     {
//!         # Text of 1 to 80 characters. The primary key.
//!         "Name": str,
//!         "Kind": Optional[Literal["P"]],
//!     },
//! )
//! ```

use super::{Codes, Kind, Types, comment, comment_of, kind};
use crate::emit::markdown;
use schema::{Field, Schema};
use std::fmt::Write as _;

/// Names of the language, and of what the module takes from its library.
const RESERVED: [&str; 8] = [
    "Enum",
    "False",
    "List",
    "Literal",
    "None",
    "Optional",
    "True",
    "TypedDict",
];

/// The module of a schema.
pub(crate) fn write(schema: &Schema) -> String {
    let types = Types::of(schema, &RESERVED);
    let about = format!(
        "Records of the schema {}, as they are stored when they have no faults.",
        markdown::code(&schema.name)
    );
    let mut out = format!(
        "{}\n\n",
        docstring(&comment(schema.description.as_deref(), &about).join(" "))
    );
    if types.enums().next().is_some() {
        out.push_str("from enum import Enum\n");
    }
    out.push_str("from typing import List, Literal, Optional, TypedDict\n");
    for codes in types.enums() {
        picklist(&mut out, codes);
    }
    let name = &types.record;
    let _ = writeln!(out, "\n\n{name} = TypedDict(\n    \"{name}\",\n    {{");
    for field in schema.active_fields() {
        notes(&mut out, "        ", &comment_of(field));
        let _ = writeln!(
            out,
            "        {}: {},",
            literal(&field.name),
            type_of(&types, field)
        );
    }
    out.push_str("    },\n)\n");
    out
}

fn picklist(out: &mut String, codes: &Codes<'_>) {
    let about = docstring(&codes.comment().join(" "));
    let _ = writeln!(out, "\n\nclass {}(str, Enum):\n    {about}\n", codes.name);
    for (member, entry) in &codes.entries {
        notes(out, "    ", &comment(entry.description.as_deref(), ""));
        let _ = writeln!(out, "    {member} = {}", literal(&entry.code));
    }
}

fn type_of(types: &Types<'_>, field: &Field) -> String {
    let one = match (types.codes(field), kind(field)) {
        (Some(codes), _) => {
            let codes: Vec<String> = codes
                .entries
                .iter()
                .map(|(_, entry)| literal(&entry.code))
                .collect();
            format!("Literal[{}]", codes.join(", "))
        }
        (None, Kind::Whole) => "int".to_owned(),
        (None, Kind::Number) => "float".to_owned(),
        (None, Kind::Flag) => "bool".to_owned(),
        (None, Kind::Text) => "str".to_owned(),
    };
    let many = if field.is_multivalue() {
        format!("List[{one}]")
    } else {
        one
    };
    if field.required {
        many
    } else {
        format!("Optional[{many}]")
    }
}

fn notes(out: &mut String, indent: &str, lines: &[String]) {
    for line in lines {
        let _ = writeln!(out, "{indent}# {line}");
    }
}

/// A text that documents what it stands in.
fn docstring(text: &str) -> String {
    let quoted = literal(text);
    format!("\"\"{quoted}\"\"")
}

fn literal(text: &str) -> String {
    super::literal(text, |unseen| format!("\\U{:08x}", u32::from(unseen)))
}
