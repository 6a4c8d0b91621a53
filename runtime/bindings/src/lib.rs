//! The engine behind plain texts: a schema document in, verdicts out, look-ups as a table. What a language's module adds
//! is its own words; what is judged, and how, is the engine's. It keeps nothing between two questions.
//!
//! ```
//! # let document = r#"{"schemaId": "s1", "name": "City", "businessAreaId": "a1", "businessAreaName": "Places",
//! #   "createdDate": "2026-01-01T00:00:00.000Z", "fields": [{"fieldId": "f1", "name": "Population",
//! #   "active": true, "dataType": "integer", "isPrimaryKey": false, "isSortKey": false, "isRequired": true}]}"#;
//! let engine = bindings::Engine::new(document)?;
//! let checked = engine.check(br#"{"Population": "many"}"#, None).unwrap();
//! assert_eq!(checked.normal_form(), r#"{"Population":"many"}"#);
//! assert_eq!(checked.faults()[0].rule().code(), "integer");
//! # Ok::<(), String>(())
//! ```

mod answer;
mod lookup_table;

pub use answer::answer;
pub use engine::validate::{Checked, Fault, Rejected, Rejection};
pub use lookup_table::LookupTable;

use engine::validate::{Checker, Lookups};
use schema::{Origin, Schema};

/// Judges records of one schema.
pub struct Engine(Checker);

impl Engine {
    /// Of a schema-detail document, the JSON text that the interface's endpoint 4 answers.
    ///
    /// # Errors
    /// When the text is no schema, or one that contradicts itself: all reasons, each with its place.
    pub fn new(document: &str) -> Result<Self, String> {
        let document = Schema::read(document, Origin::Elsewhere);
        let document = document.map_err(|problems| problems.to_string())?;
        let checker = Checker::new(&document.schema);
        checker.map(Engine).map_err(|problems| problems.to_string())
    }

    /// Judges the body of a new record. Without look-ups, codes of data domains and facts of files are not judged.
    ///
    /// # Errors
    /// When the body is no flat JSON object of the schema's active fields.
    pub fn check(&self, body: &[u8], lookups: Option<&LookupTable>) -> Result<Checked, Rejected> {
        self.0.check_with(body, lookups.map(as_lookups))
    }

    /// Judges a change of a stored record: omitted fields keep their stored value, `null` clears.
    ///
    /// # Errors
    /// When the change is no flat JSON object of the schema's active fields, or the stored record is not one.
    pub fn merge(
        &self,
        stored: &str,
        change: &[u8],
        lookups: Option<&LookupTable>,
    ) -> Result<Checked, Rejected> {
        let merged = self.0.merge(stored, change, lookups.map(as_lookups));
        merged.map(|merged| merged.checked)
    }
}

fn as_lookups(table: &LookupTable) -> &dyn Lookups {
    table
}
