//! The plan: every decision about the generated code, as data. Who decides it is `planner`; who reads it is
//! `emit`.

use crate::coded_report::Advice;
use crate::note::Note;
use crate::rust_type::Cardinality;
use schema::{PicklistEntry, Schema};

/// What is generated.
pub(crate) struct Plan<'a> {
    /// By name.
    pub modules: Vec<ModulePlan<'a>>,
    /// The name of the one file, where there is only one.
    pub one_file: Option<&'a str>,
}

/// The module of one schema.
pub(crate) struct ModulePlan<'a> {
    /// Without `r#`; the name of its file too.
    pub name: String,
    /// The name of the input, without directories.
    pub source: &'a str,
    pub schema: &'a Schema,
    /// How the runtime is called, and whether that is a path, which the derives do not find by themselves.
    pub runtime: String,
    pub is_runtime_renamed: bool,
    /// What comes from the runtime, sorted.
    pub imports: Vec<&'static str>,
    pub record: StructPlan<'a>,
    pub picklists: Vec<EnumPlan<'a>>,
    pub notes: Vec<Note>,
    pub has_made_ids: bool,
    pub warnings: Vec<Advice>,
}

/// The struct of a schema.
pub(crate) struct StructPlan<'a> {
    pub name: String,
    pub fields: Vec<FieldPlan<'a>>,
    pub allows: Vec<Allow>,
    /// What it derives by itself, and what the configuration adds.
    pub own_derives: Vec<&'static str>,
    pub derives: Vec<String>,
    pub attributes: Vec<syn::Attribute>,
}

/// One field of a struct.
pub(crate) struct FieldPlan<'a> {
    pub name: String,
    pub source: &'a schema::Field,
    /// The type of one value.
    pub value: String,
    /// What holds one value of a static picklist that keeps unknown codes: the path of the runtime's `Open`.
    pub holder: Option<String>,
    pub cardinality: Cardinality,
    pub attributes: Vec<syn::Attribute>,
    pub moved: MovePlan,
}

/// What a field and its enum were called in this version of the schema until they were moved.
#[derive(Clone, Debug, Default)]
pub(crate) struct MovePlan {
    pub name: Option<String>,
    pub picklist: Option<String>,
}

/// The enum of a static picklist.
pub(crate) struct EnumPlan<'a> {
    pub name: String,
    pub source: &'a schema::Field,
    pub variants: Vec<VariantPlan<'a>>,
    pub allows: Vec<Allow>,
    pub derives: Vec<String>,
    pub attributes: Vec<syn::Attribute>,
}

/// One code of a picklist.
pub(crate) struct VariantPlan<'a> {
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
