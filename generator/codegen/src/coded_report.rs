//! A report for programs: with its code, and the schema and the field that it is about. It looks for none.

use crate::report::Report;
use schema::{Field, Path, Schema, Step};

/// One piece of advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Its code: stable, for allow-lists and programs.
    pub code: &'static str,
    /// The schema's name; empty where it can't be read.
    pub schema: String,
    /// The display name of the field that it is about, if it is about one.
    pub field: Option<String>,
    /// What it is, where, and what to do.
    pub report: Report,
}

/// What the reader of schemas says: why a schema is refused, or what has no effect in it. Of a schema that is refused, no name
/// is known.
impl From<Report> for Advice {
    fn from(report: Report) -> Self {
        let code = if report.is_error() {
            "contradiction"
        } else {
            "no_effect"
        };
        Advice {
            code,
            schema: String::new(),
            field: None,
            report,
        }
    }
}

impl Advice {
    /// The same, on a schema that is known.
    pub(crate) fn on(self, schema: &Schema) -> Self {
        let field = field_at(schema, &self.report.problem.path);
        Advice {
            schema: schema.name.clone(),
            field: field.map(|field| field.name.clone()),
            ..self
        }
    }
}

/// The field that a path leads into.
pub(crate) fn field_at<'s>(schema: &'s Schema, path: &Path) -> Option<&'s Field> {
    match path.steps() {
        [Step::Key(key), Step::Index(index), ..] if key == "fields" => schema.fields.get(*index),
        _ => None,
    }
}
