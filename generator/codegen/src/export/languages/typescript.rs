//! TypeScript.
//!
//! ```text
//! /** A code of the picklist `Kind`. */
//! export const CityKind = {
//!   /** A port on the sea. */
//!   P: "P",
//! } as const;
//! export type CityKind = (typeof CityKind)[keyof typeof CityKind];
//!
//! export interface City {
//!   /** Text of 1 to 80 characters. The primary key. */
//!   "Name": string;
//!   "Kind": CityKind | null;
//! }
//! ```

use super::{Codes, Kind, Types, comment, comment_of, kind};
use crate::emit::markdown;
use schema::{Field, Limits, SAFE_INTEGER_MAX, Schema};
use std::fmt::Write as _;

/// The module of a schema.
pub(crate) fn write(schema: &Schema) -> String {
    let types = Types::of(schema, &["Array", "Object", "String"]);
    let mut out = String::new();
    for codes in types.enums() {
        picklist(&mut out, codes);
        out.push('\n');
    }
    let about = format!(
        "A record of the schema {}, as it is stored when it has no faults.",
        markdown::code(&schema.name)
    );
    document(
        &mut out,
        "",
        &comment(schema.description.as_deref(), &about),
    );
    let _ = writeln!(out, "export interface {} {{", types.record);
    for field in schema.active_fields() {
        let mut about = comment_of(field);
        if is_beyond_numbers(field) {
            about.push(format!(
                "Beyond ±{SAFE_INTEGER_MAX}, `JSON.parse` makes another number of it."
            ));
        }
        document(&mut out, "  ", &about);
        let _ = writeln!(
            out,
            "  {}: {};",
            literal(&field.name),
            type_of(&types, field)
        );
    }
    out.push_str("}\n");
    out
}

fn picklist(out: &mut String, codes: &Codes<'_>) {
    let name = &codes.name;
    document(out, "", &codes.comment());
    let _ = writeln!(out, "export const {name} = {{");
    for (member, entry) in &codes.entries {
        document(out, "  ", &comment(entry.description.as_deref(), ""));
        let _ = writeln!(out, "  {member}: {},", literal(&entry.code));
    }
    let _ = writeln!(
        out,
        "}} as const;\nexport type {name} = (typeof {name})[keyof typeof {name}];"
    );
}

fn type_of(types: &Types<'_>, field: &Field) -> String {
    let one = match (types.codes(field), kind(field)) {
        (Some(codes), _) => codes.name.clone(),
        (None, Kind::Whole | Kind::Number) => "number".to_owned(),
        (None, Kind::Flag) => "boolean".to_owned(),
        (None, Kind::Text) => "string".to_owned(),
    };
    let many = if field.is_multivalue() { "[]" } else { "" };
    let missing = if field.required { "" } else { " | null" };
    format!("{one}{many}{missing}")
}

/// Whether some of its whole numbers are none of `number`, in which doubles are all there is.
fn is_beyond_numbers(field: &Field) -> bool {
    let Ok(Limits::Whole(bounds)) = Limits::of(field) else {
        return false;
    };
    bounds.min < -SAFE_INTEGER_MAX || bounds.max > SAFE_INTEGER_MAX
}

fn document(out: &mut String, indent: &str, lines: &[String]) {
    // nothing of a text ends the comment
    let lines: Vec<String> = lines
        .iter()
        .map(|line| line.replace("*/", "*\\/"))
        .collect();
    match &lines[..] {
        [] => {}
        [line] => {
            let _ = writeln!(out, "{indent}/** {line} */");
        }
        _ => {
            let _ = writeln!(out, "{indent}/**");
            for line in &lines {
                let _ = writeln!(out, "{indent} * {line}");
            }
            let _ = writeln!(out, "{indent} */");
        }
    }
}

fn literal(text: &str) -> String {
    super::literal(text, |unseen| format!("\\u{{{:x}}}", u32::from(unseen)))
}
