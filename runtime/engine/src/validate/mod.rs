//! The validation engine: one judgement for every door. A [`Checker`] is compiled once from a schema;
//! it reads a body once, without building a tree, and yields a [`Checked`]: the normal form, the
//! primary key's text and the faults. A faulty record is a record; only a body that is no flat object
//! of the schema's fields is refused ([`Rejected`]). It stores nothing and knows no HTTP.
//!
//! ```
//! # let document = r#"{"schemaId":"s","name":"City","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z",
//! #  "fields":[{"fieldId":"f","name":"Founded","active":true,"dataType":"date","isPrimaryKey":false,"isSortKey":false,"isRequired":true,"dateFormat":"DD$MM$YYYY","dateSeparator":"."}]}"#;
//! use schema::{Origin, Schema};
//! use engine::validate::Checker;
//!
//! let schema = Schema::read(document, Origin::Elsewhere)?.schema;
//! let checker = Checker::new(&schema)?;
//! let checked = checker.check(br#"{"Founded": "1237-10-28"}"#)?;
//! assert_eq!(checked.normal_form(), r#"{"Founded":"28.10.1237"}"#);
//! let faulty = checker.check(br#"{"Founded": "31.04.1237"}"#)?;
//! assert_eq!(faulty.errors()[0].errors, "must be a day that exists");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod catalogue;
mod check;
mod checked;
mod checker;
#[cfg(test)]
mod examples;
mod fault;
mod field_rule;
mod judge;
mod lookups;
mod merge;
pub(crate) mod message;
mod pattern;
mod read;
mod reject;
mod remark;
pub(crate) mod rule;
mod rules_of;
mod scratch;
mod size;
pub(crate) mod slot;
mod told;
mod wording;

pub use checked::{Checked, Verdict};
pub use checker::Checker;
pub use fault::{Fault, Limit, Rule};
pub use field_rule::FieldRule;
pub use lookups::{CodeLookup, FileFacts, Lookups};
pub use merge::Merged;
pub use pattern::values_within;
pub use read::{SystemProperty, is_blank};
pub use reject::{Rejected, Rejection, RejectionCode};
pub use remark::RemarkParts;
pub use rules_of::rules_of;
pub use scratch::Scratch;
pub use size::{BODY_BYTES_MAX, PRIMARY_KEY_BYTES_MAX};
pub use told::{rules_told, texts_told};
pub use wording::{Told, is_worded_as_now, told_by_rules};

#[doc(hidden)]
pub use judge::Judge;
pub(crate) use read::Reading;
