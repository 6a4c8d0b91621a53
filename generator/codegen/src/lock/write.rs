//! A lock as text: JSON with a line for each field, everything in the order of the ids, the same lock always the same
//! bytes.

use super::model::{FieldLock, Lock, MoveLock, SchemaLock};
use schema::json::write_string;
use std::fmt;

/// The member that says what the file is.
pub(super) const ABOUT: &str = "about";
const ABOUT_TEXT: &str = "The identifiers of generated code, kept by `generator --lock`. Commit it, and change names with --relock.";

impl fmt::Display for Lock {
    /// The text of a lock file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::from("{\n");
        member(&mut out, ABOUT);
        write_string(&mut out, ABOUT_TEXT);
        out.push_str(",\n\"schemas\":{");
        for (index, (id, schema)) in self.schemas.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            member(&mut out, id);
            schema.write(&mut out);
        }
        out.push_str("\n}}\n");
        f.write_str(&out)
    }
}

impl SchemaLock {
    fn write(&self, out: &mut String) {
        out.push('{');
        text(out, "module", &self.module);
        out.push(',');
        text(out, "record", &self.record);
        out.push_str(",\"fields\":{");
        for (index, (id, field)) in self.fields.iter().enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            member(out, id);
            field.write(out);
        }
        out.push_str("\n}}");
    }
}

impl FieldLock {
    fn write(&self, out: &mut String) {
        out.push('{');
        let mut comma = "";
        let mut next = |out: &mut String| {
            out.push_str(comma);
            comma = ",";
        };
        if let Some(name) = &self.name {
            next(out);
            text(out, "name", name);
        }
        if let Some(picklist) = &self.picklist {
            next(out);
            text(out, "enum", picklist);
        }
        if !self.codes.is_empty() {
            next(out);
            member(out, "codes");
            for (index, (code, variant)) in self.codes.iter().enumerate() {
                out.push(if index == 0 { '{' } else { ',' });
                text(out, code, variant);
            }
            out.push('}');
        }
        if let Some(moved) = &self.moved {
            next(out);
            member(out, "was");
            moved.write(out);
        }
        out.push('}');
    }
}

impl MoveLock {
    fn write(&self, out: &mut String) {
        out.push('{');
        text(out, "name", &self.name);
        if let Some(picklist) = &self.picklist {
            out.push(',');
            text(out, "enum", picklist);
        }
        if let Some(version) = self.version {
            out.push(',');
            member(out, "until");
            out.push_str(&version.to_string());
        }
        out.push('}');
    }
}

fn member(out: &mut String, key: &str) {
    write_string(out, key);
    out.push(':');
}

fn text(out: &mut String, key: &str, value: &str) {
    member(out, key);
    write_string(out, value);
}
