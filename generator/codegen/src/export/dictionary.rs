//! A data dictionary for those who look after data: each field with what it is, its rules in words, its codes. No value
//! of a schema can become markup.

use crate::emit::facts;
use schema::{Field, Schema};
use std::fmt::Write as _;

/// The dictionary as Markdown.
pub(super) fn markdown(schema: &Schema) -> String {
    let mut out = format!("# {}\n", plain(&schema.name));
    for text in [schema.description.clone(), version(schema)]
        .into_iter()
        .flatten()
    {
        let _ = write!(out, "\n{}\n", plain(&text));
    }
    out.push_str("\n| Field | Required | What it is | Description |\n| - | - | - | - |\n");
    for field in schema.active_fields() {
        let Row {
            required,
            facts,
            description,
        } = Row::of(field);
        let facts = facts.replace('|', "\\|");
        let cells = [&plain(&field.name), required, &facts, &plain(description)];
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    for field in schema.active_fields() {
        let codes = field.static_picklist.iter().flatten();
        let lines: Vec<String> = codes
            .map(|entry| {
                let meaning = entry.description.as_deref().unwrap_or_default();
                format!("| {} | {} |", plain(&entry.code), plain(meaning))
            })
            .collect();
        if !lines.is_empty() {
            let _ = write!(
                out,
                "\n## Codes of {}\n\n| Code | Meaning |\n| - | - |\n{}\n",
                plain(&field.name),
                lines.join("\n")
            );
        }
    }
    out
}

/// The dictionary as a page.
pub(super) fn html(schema: &Schema) -> String {
    let title = escaped(&schema.name);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<h1>{title}</h1>\n"
    );
    for text in [schema.description.clone(), version(schema)]
        .into_iter()
        .flatten()
    {
        let _ = writeln!(out, "<p>{}</p>", escaped(&text));
    }
    out.push_str(
        "<table>\n<thead><tr><th>Field<th>Required<th>What it is<th>Description</thead>\n<tbody>\n",
    );
    for field in schema.active_fields() {
        let Row {
            required,
            facts,
            description,
        } = Row::of(field);
        let _ = writeln!(
            out,
            "<tr><th>{}<td>{required}<td>{}<td>{}",
            escaped(&field.name),
            escaped(&facts.replace('`', "")),
            escaped(description)
        );
    }
    out.push_str("</tbody>\n</table>\n");
    for field in schema.active_fields() {
        let codes: Vec<_> = field.static_picklist.iter().flatten().collect();
        if codes.is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "<h2>Codes of {}</h2>\n<table>\n<thead><tr><th>Code<th>Meaning</thead>\n<tbody>\n",
            escaped(&field.name)
        );
        for entry in codes {
            let meaning = entry.description.as_deref().unwrap_or_default();
            let _ = writeln!(
                out,
                "<tr><th>{}<td>{}",
                escaped(&entry.code),
                escaped(meaning)
            );
        }
        out.push_str("</tbody>\n</table>\n");
    }
    out.push_str("</html>\n");
    out
}

/// What is told of a field.
struct Row<'f> {
    required: &'static str,
    facts: String,
    description: &'f str,
}

impl<'f> Row<'f> {
    fn of(field: &'f Field) -> Self {
        Row {
            required: if field.required { "yes" } else { "" },
            facts: facts::of_field(field),
            description: field.description.as_deref().unwrap_or_default(),
        }
    }
}

fn version(schema: &Schema) -> Option<String> {
    schema.version.map(|version| format!("Version {version}."))
}

/// A text in a line of Markdown, where nothing of it is markup.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '(' | ')' | '#' | '+'
            | '!' | '|' | '~' | '&' => out.extend(['\\', c]),
            c if c.is_whitespace() || c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A text in HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
