//! What the service says of a schema before it is saved: what contradicts, so that it can't be, and what looks like a mistake
//! and does no harm; each with the field and the property that it is about, in the reader's language.

use super::document::{Draft, raw, text_of};
use crate::admin::pages::texts::{Texts, filled};
use crate::admin::pages::visit::Visit;
use crate::http::error::Failure;
use serde_json::value::RawValue;
use service::Refusal;
use service::manage::{Problem, SchemaTrial};

/// The codes of what a document lacks, and a form has an empty input for.
const ABSENT: [&str; 5] = [
    "property_missing",
    "property_null",
    "property_empty",
    "schema_name_missing",
    "field_name_missing",
];

/// What is said of a document.
pub(super) struct Judged {
    /// What contradicts.
    pub(super) problems: Vec<Remark>,
    /// What looks like a mistake; told once nothing contradicts.
    pub(super) warnings: Vec<Remark>,
}

/// What is said, and at which field.
pub(super) struct Remark {
    pub(super) index: Option<usize>,
    pub(super) field: String,
    pub(super) property: String,
    pub(super) message: String,
    /// Whether the page does not show the field.
    pub(super) is_elsewhere: bool,
}

/// Judges a document as saving would.
pub(super) fn judged<P>(visit: &Visit<P>, draft: &Draft) -> Result<Judged, Failure> {
    let document = RawValue::from_string(draft.to_json());
    let trial = SchemaTrial {
        document: document.unwrap_or_else(|_| raw(&())),
        record: None,
    };
    let remarks = |problems: Vec<Problem>| {
        let remarks = problems.iter().map(|it| remark(it, draft, visit.texts));
        remarks.collect()
    };
    match visit.site.service.try_schema(&visit.caller, &trial) {
        Ok(tried) => Ok(Judged {
            problems: Vec::new(),
            warnings: remarks(tried.warnings),
        }),
        Err(Refusal::Invalid(problems)) => Ok(Judged {
            problems: remarks(problems),
            warnings: Vec::new(),
        }),
        Err(refusal) => Err(refusal.into()),
    }
}

fn remark(problem: &Problem, draft: &Draft, texts: &Texts) -> Remark {
    let (index, property) = place(&problem.path);
    let (label, message) = told_of(problem, property, texts);
    let field = index.and_then(|index| draft.fields.get(index));
    Remark {
        index,
        field: field.map_or_else(String::new, |field| text_of(field, "name")),
        property: label.to_owned(),
        message,
        is_elsewhere: false,
    }
}

/// The place of a problem: the field, and the property within it.
fn place(path: &str) -> (Option<usize>, &str) {
    let Some(rest) = path.strip_prefix("$.fields[") else {
        return (None, path.trim_start_matches('$').trim_start_matches('.'));
    };
    let (index, rest) = rest.split_once(']').unwrap_or((rest, ""));
    let property = rest.trim_start_matches('.');
    let end = property.find(['.', '[']).unwrap_or(property.len());
    (index.parse().ok(), &property[..end])
}

/// The property that a problem is about, and what contradicts in the words of its form.
fn told_of<'p>(problem: &'p Problem, place: &'p str, texts: &'p Texts) -> (&'p str, String) {
    let own = &texts.schemas;
    let absent = problem
        .wording
        .as_ref()
        .filter(|it| ABSENT.contains(&it.code));
    let Some(absent) = absent else {
        return (own.property(place), texts.problem(problem));
    };
    // what is not there at all is told of the object that lacks it
    let property = absent.values.first().map_or(place, String::as_str);
    let label = own.property(property);
    (label, filled(own.to_fill_in, &[label]))
}
