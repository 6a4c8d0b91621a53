//! Properties of a document that nobody knows, as warnings at their places. Which they are, and which ones are meant, the
//! ground floor finds.

use crate::coded_report::Advice;
use crate::input::Input;
use crate::report::Report;
use schema::json::unmarked;
use schema::{Path, Problem, Schema, Severity, UnknownProperty, unknown_properties};

/// The code of the advice on it.
pub(crate) fn code(unknown: &UnknownProperty) -> &'static str {
    match unknown.meant {
        Some(_) => "misspelt",
        None => "unknown_property",
    }
}

/// What is told of a property that nobody knows.
pub(crate) fn problem(unknown: &UnknownProperty) -> Problem {
    let UnknownProperty { path, name, meant } = unknown;
    let (told, help) = if let Some(meant) = meant {
        (
            format!("is `{meant}` meant?"),
            "write it as the interface has it",
        )
    } else {
        (
            "it does nothing".to_owned(),
            "remove it, or look up what the interface has for it",
        )
    };
    let message = format!("nobody knows the property `{name}`; {told}");
    Problem::new(Severity::Warning, path.clone(), message, help)
}

/// A warning for each of them, at its place in the input that the schema was read from.
pub(crate) fn warnings(input: &Input, schema: &Schema) -> Vec<Advice> {
    let text = unmarked(&input.text);
    let unknown = unknown_properties(schema);
    let offsets = Path::offsets_in(unknown.iter().map(|unknown| &unknown.path), text);
    let warnings = unknown.iter().zip(offsets).map(|(unknown, offset)| {
        let problem = Problem {
            offset,
            ..problem(unknown)
        };
        let report = Report::new(&input.name, text, problem);
        let advice = Advice {
            code: code(unknown),
            ..Advice::from(report)
        };
        advice.on(schema)
    });
    warnings.collect()
}
