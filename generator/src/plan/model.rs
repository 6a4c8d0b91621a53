//! The plan: every decision about the generated code, as data. Who decides it is `planner`; who reads it is
//! `emit`.

use crate::note::Note;
use crate::report::Report;
use crate::rust_type::Holds;
use schema::{PicklistEntry, Schema};

/// What is generated.
pub(crate) struct Plan<'a> {
    /// By name.
    pub modules: Vec<Module<'a>>,
    /// The name of the one file, where there is only one.
    pub one_file: Option<&'a str>,
}

/// The module of one schema.
pub(crate) struct Module<'a> {
    /// Without `r#`; the name of its file too.
    pub name: String,
    /// The name of the input, without directories.
    pub source: &'a str,
    pub schema: &'a Schema,
    /// How the runtime is called, and whether that is not its own name.
    pub runtime: String,
    pub is_runtime_renamed: bool,
    /// What comes from the runtime, sorted.
    pub imports: Vec<&'static str>,
    pub record: Record<'a>,
    pub picklists: Vec<Picklist<'a>>,
    pub notes: Vec<Note>,
    pub warnings: Vec<Report>,
}

/// The struct of a schema.
pub(crate) struct Record<'a> {
    pub name: String,
    pub fields: Vec<Field<'a>>,
    pub allows: Vec<Allow>,
    pub derives: Vec<String>,
    pub attributes: Vec<syn::Attribute>,
}

/// One field of a struct.
pub(crate) struct Field<'a> {
    pub name: String,
    pub source: &'a schema::Field,
    /// The type of one value.
    pub value: String,
    pub holds: Holds,
    pub attributes: Vec<syn::Attribute>,
}

/// The enum of a static picklist.
pub(crate) struct Picklist<'a> {
    pub name: String,
    pub source: &'a schema::Field,
    pub variants: Vec<Variant<'a>>,
    pub allows: Vec<Allow>,
    pub derives: Vec<String>,
    pub attributes: Vec<syn::Attribute>,
}

/// One code of a picklist.
pub(crate) struct Variant<'a> {
    pub name: String,
    pub entry: &'a PicklistEntry,
    pub attributes: Vec<syn::Attribute>,
}

/// A lint to allow, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allow {
    pub lint: &'static str,
    pub reason: &'static str,
}
