//! What was found in all, by field and rule. It holds counts and names of the schema's fields, and no row.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// Counts of rows and findings.
#[derive(Default)]
pub(super) struct Summary {
    pub(super) rows: u64,
    /// Rows with findings.
    pub(super) faulty: u64,
    /// Rows of which some rules were not judged: codes of domains that are not known, and files.
    pub(super) unjudged: u64,
    /// What of the schema's rules was not judged in them, in words.
    pub(super) beyond: &'static str,
    /// How often each rule was broken, by the field's place in the schema and its name. What is about no field comes
    /// last.
    pub(super) counts: BTreeMap<(usize, String, &'static str), u64>,
}

impl Summary {
    pub(super) fn count(&mut self, fields: &[String], field: Option<&str>, code: &'static str) {
        let index = field.and_then(|field| fields.iter().position(|name| name == field));
        // names that only the data has may be as many as there are rows
        let name = index.map_or(String::new(), |index| fields[index].clone());
        let key = (index.unwrap_or(usize::MAX), name, code);
        *self.counts.entry(key).or_default() += 1;
    }

    pub(super) fn findings(&self) -> u64 {
        self.counts.values().sum()
    }

    /// As a JSON object.
    pub(super) fn json(&self) -> String {
        let mut out = format!(
            "{{\"rows\":{},\"faultyRows\":{},\"notFullyJudgedRows\":{},\"findings\":{},\"counts\":[",
            self.rows,
            self.faulty,
            self.unjudged,
            self.findings()
        );
        for (index, ((_, field, code), count)) in self.counts.iter().enumerate() {
            out.push_str(if index > 0 {
                ",{\"field\":"
            } else {
                "{\"field\":"
            });
            match field.as_str() {
                "" => out.push_str("null"),
                field => schema::json::write_string(&mut out, field),
            }
            let _ = write!(out, ",\"rule\":\"{code}\",\"count\":{count}}}");
        }
        out.push_str("]}");
        out
    }
}

/// For people.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            rows,
            faulty,
            unjudged,
            beyond,
            counts,
        } = self;
        let counted = |count: u64| if count == 1 { "row" } else { "rows" };
        let of_rows = counted(*rows);
        writeln!(f, "{rows} {of_rows}, {faulty} of them with findings")?;
        let width = counts
            .values()
            .max()
            .map_or(0, |most| most.to_string().len());
        for ((_, field, code), count) in counts {
            match field.as_str() {
                "" => writeln!(f, "  {count:>width$}  {code}")?,
                field => writeln!(f, "  {count:>width$}  {field:?}: {code}")?,
            }
        }
        if *unjudged > 0 {
            let of_rows = counted(*unjudged);
            writeln!(f, "{beyond} were not judged in {unjudged} {of_rows}")?;
        }
        Ok(())
    }
}
