//! The engine against the fixtures: conformance cases, schemas with contradictions, real records.

mod bad_schemas;
mod conformance;
mod faults;
mod records;
mod stored_keys;
