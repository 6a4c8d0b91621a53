//! Schemas that nobody made yet: judged as one that is made, with a record tried under them. It stores nothing.

use crate::files::KnownFiles;
use crate::nouns::{judge_names, read_document};
use crate::records::CatalogLookups;
use crate::{Caller, Refusal, Service};
use engine::validate::Rejected;
use schema::{Problem, Severity};
use serde_json::value::RawValue;
use store::StoreError;
use store::catalog::{Resource, SchemaEntry, SchemaVersion, Verb};
use wire::manage::{self, SchemaTrial, TriedSchema};

impl Service {
    /// Judges a schema, and a record by it. Codes are looked up in the tenant's data domains; files that a record names
    /// are not known.
    ///
    /// # Errors
    /// Every contradiction of the schema; a record that could not be stored at all; missing rights to view schemas.
    pub fn try_schema(&self, by: &Caller, trial: &SchemaTrial) -> Result<TriedSchema, Refusal> {
        let caller = self.viewer(by, Resource::Schemas)?;
        let document = read_document(trial.document.get())?;
        // of one that is there, the names may stay as they are
        let old = caller
            .sight()
            .find::<SchemaEntry>(&document.schema.id, Verb::View);
        let old = old.ok().map(|old| &old.current().schema);
        judge_names(&document.schema, old, caller.rights().is_operator())?;
        let warnings = document.warnings.iter().map(told).collect();
        let version = SchemaVersion::new(document.schema)?;
        let (mut record, mut errors) = (None, Vec::new());
        if let Some(sent) = &trial.record {
            let files = KnownFiles::default();
            let lookups = CatalogLookups {
                catalog: caller.catalog(),
                tenant: caller.tenant(),
                files: &files,
                draft: None,
            };
            let checked = version
                .checker
                .check_with(sent.get().as_bytes(), Some(&lookups));
            let checked = checked.map_err(|rejected| no_record(&rejected))?;
            errors = checked.errors();
            let text = checked.into_normal_form();
            record = Some(RawValue::from_string(text).map_err(|source| {
                let what = "a record".to_owned();
                StoreError::Document { what, source }
            })?);
        }
        Ok(TriedSchema {
            warnings,
            record,
            errors,
        })
    }
}

/// A record that could not be stored, as management tells what is wrong.
fn no_record(rejected: &Rejected) -> Refusal {
    let items = rejected.items().iter();
    let problems = items.map(|item| manage::Problem::new("$.record", item.to_string()));
    Refusal::Invalid(problems.collect())
}

fn told(problem: &Problem) -> manage::Problem {
    debug_assert!(problem.severity == Severity::Warning);
    let message = format!("{} ({})", problem.message, problem.help);
    manage::Problem {
        wording: problem.wording.clone().map(Into::into),
        ..manage::Problem::new(problem.path.to_string(), message)
    }
}
