//! The demo: the manifest `fixtures/demo.yaml` and its files, which are part of the program.

use anyhow::{Context as _, bail};
use fixtures::{DEMO_MANIFEST, FIXTURES, Fixture};
use manifest::Manifest;
use manifest::read::{Files, text_of};
use schema::json::{Node, Value, parse, write_string};
use schema::{Origin, Schema};
use std::collections::BTreeSet;

/// The demo's tenant.
pub(crate) const TENANT: &str = "Demo";

/// The manifest with its files.
pub(crate) fn manifest() -> anyhow::Result<Manifest> {
    text_of(DEMO_MANIFEST, false, &Embedded).context("in the demo's manifest")
}

struct Embedded;

impl Files for Embedded {
    fn read(&self, path: &str) -> anyhow::Result<String> {
        for fixture in FIXTURES {
            let name = fixture.name;
            if path == format!("schemas/{name}.json") {
                return Ok(fixture.schema.to_owned());
            }
            if path == format!("data/{name}.ndjson") {
                let text = String::from_utf8(zstd::decode_all(fixture.clean)?)?;
                return lines(fixture, &text, None);
            }
            if path == format!("records/{name}.faulty.ndjson") {
                return lines(fixture, fixture.faulty, Some("record"));
            }
        }
        bail!("the demo has no file {path}")
    }
}

/// The records of a file, each on its line, without the values of file fields: the demo has no such
/// files. Where `frame` is named, a record stands in that member of its line.
fn lines(fixture: &Fixture, text: &str, frame: Option<&str>) -> anyhow::Result<String> {
    let schema = Schema::read(fixture.schema, Origin::Elsewhere)
        .map_err(|problems| anyhow::anyhow!("the schema {}: {problems}", fixture.name))?
        .schema;
    let files: BTreeSet<&str> = schema
        .active_fields()
        .filter(|field| field.data_type.is_file())
        .map(|field| field.name.as_str())
        .collect();
    if files.is_empty() && frame.is_none() {
        return Ok(text.to_owned());
    }
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line_node = parse(line)?;
        let record = match frame {
            Some(frame) => line_node.get(frame).context("a line without its record")?,
            None => &line_node,
        };
        write_without(&mut out, line, record, &files);
        out.push('\n');
    }
    Ok(out)
}

fn write_without(out: &mut String, line: &str, record: &Node<'_>, left_out: &BTreeSet<&str>) {
    let Value::Object(members) = &record.value else {
        return;
    };
    out.push('{');
    let kept = members
        .iter()
        .filter(|member| !left_out.contains(&*member.key));
    for (index, member) in kept.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_string(out, &member.key);
        out.push(':');
        out.push_str(&line[member.value.start..member.value.end]);
    }
    out.push('}');
}
