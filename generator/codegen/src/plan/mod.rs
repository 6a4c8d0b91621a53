//! Every decision about the generated code: modules, identifiers, types, imports, lints to allow.
//! It depends on what the schemas and the configuration say and never on the order of files or
//! fields (but that the fields of a struct stand in schema order). It writes no code.

mod additions;
mod derives;
mod lints;
mod locked;
mod model;
mod notes;
mod open;
mod picklists;
mod planner;
mod renames;

pub(crate) use derives::OF_PICKLIST;
pub(crate) use locked::next_lock;
pub(crate) use model::{Allow, EnumPlan, FieldPlan, ModulePlan, Plan, VariantPlan};
pub(crate) use planner::plan;
