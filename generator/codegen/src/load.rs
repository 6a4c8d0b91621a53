//! Inputs to checked schemas: the house's one reader, all problems of all inputs at once. It makes
//! no decision about generated code.

use crate::error::Error;
use crate::input::Input;
use crate::message::quoted;
use crate::report::Report;
use schema::json::{parse, unmarked};
use schema::{Path, Problem, Schema, Severity};
use std::collections::HashMap;

/// One input that was read.
pub(crate) struct LoadedSchema<'i> {
    pub input: &'i Input,
    /// Without provenance, which stays out of generated code.
    pub schema: Schema,
    /// Whether its document lacks ids, so that they were made of names.
    pub has_made_ids: bool,
    pub warnings: Vec<Report>,
}

/// Reads one schema, for what asks more of it than its types.
///
/// # Errors
/// Every contradiction of the document.
pub fn read_schema(input: &Input) -> Result<Schema, Error> {
    let mut loaded = load(std::slice::from_ref(input))?;
    // INVARIANT: one input that is not refused is one schema
    Ok(loaded.remove(0).schema)
}

/// What is wrong with a document that describes data in another language, by its topmost members.
fn of_another_kind(text: &str) -> Option<Problem> {
    let tree = parse(text).ok()?;
    let has_any = |names: &[&str]| names.iter().any(|name| tree.get(name).is_some());
    let kind = match () {
        () if has_any(&["fields"]) => return None,
        () if has_any(&["openapi", "swagger"]) => "an OpenAPI document",
        () if has_any(&["$schema", "properties"]) => "a JSON Schema",
        () => return None,
    };
    let message = format!("this is {kind}, and no schema document of Fieldstone");
    let help = "give a document that has `name` and `fields`, such as `generator fetch` or `generator infer` write";
    Some(Problem::new(Severity::Error, Path::root(), message, help))
}

/// Reads all inputs.
pub(crate) fn load(inputs: &[Input]) -> Result<Vec<LoadedSchema<'_>>, Error> {
    let mut loaded = Vec::new();
    let mut reports = Vec::new();
    let mut ids = HashMap::new();
    for input in inputs {
        let text = unmarked(&input.text);
        let report = |problem: Problem| Report::new(&input.name, text, problem);
        match Schema::read_any(text) {
            Err(problems) => match of_another_kind(text) {
                Some(problem) => reports.push(report(problem)),
                None => reports.extend(problems.items.into_iter().map(report)),
            },
            Ok(document) => {
                let has_made_ids = document.has_made_id || !document.made_field_ids.is_empty();
                let schema = document.schema.without_provenance();
                if let Some(first) = ids.insert(schema.id.clone(), &input.name) {
                    let message =
                        format!("the schema {} is that of {first} too", quoted(&schema.id));
                    let help = "name each schema once";
                    let path = Path::root().key("schemaId");
                    let mut problem = Problem::new(Severity::Error, path, message, help);
                    problem.offset = text.find("\"schemaId\"");
                    reports.push(report(problem));
                }
                let warnings = document.warnings.into_iter().map(report).collect();
                loaded.push(LoadedSchema {
                    input,
                    schema,
                    has_made_ids,
                    warnings,
                });
            }
        }
    }
    if reports.is_empty() {
        return Ok(loaded);
    }
    let mut all: Vec<_> = loaded.into_iter().flat_map(|one| one.warnings).collect();
    all.extend(reports);
    Err(Error::Schemas(all))
}
