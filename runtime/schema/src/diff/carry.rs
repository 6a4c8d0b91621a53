//! A record of the old schema as one of the new: values under the names of the fields that they stay with, valid dates
//! and times in the format that is in force. docs/rules.md, "Records of earlier versions".

use super::Diff;
use crate::carry::carry_value;
use crate::json::{parse, write_string};

impl Diff<'_> {
    /// The body that a record has under the new schema: `record` holds the values of the old schema's active fields by
    /// name, as they are stored. Values of fields that are no more stay out, and so does what no field is named after.
    /// `None` when it is no JSON object.
    pub fn carry(&self, record: &str) -> Option<String> {
        let tree = parse(record).ok()?;
        let mut out = String::from("{");
        for pair in &self.pairs {
            let (Some((_, old)), Some((_, new))) = (pair.old, pair.new) else {
                continue;
            };
            let Some(node) = tree.get(&old.name).filter(|_| old.active && new.active) else {
                continue;
            };
            if out.len() > 1 {
                out.push(',');
            }
            write_string(&mut out, &new.name);
            out.push(':');
            carry_value(&mut out, old, new, &record[node.start..node.end]);
        }
        out.push('}');
        Some(out)
    }
}
