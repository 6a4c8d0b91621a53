//! What the records of a dataset are judged by, as two numbers that are compared at each commit: the version of the schema,
//! and a mark of the tenant's data domains.

/// The versions of the rules that records of a dataset are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleVersions {
    /// The version of the schema.
    pub schema: i64,
    /// The [mark](crate::catalog::Catalog::domains_mark) of the tenant's data domains.
    pub domains: u64,
}
