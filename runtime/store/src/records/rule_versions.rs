//! What the records of a dataset are judged by, as two numbers that are compared at each commit: the version of the schema,
//! and a mark of the data domains that it names.

/// The versions of the rules that records of a dataset are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleVersions {
    /// The version of the schema.
    pub schema: i64,
    /// The sum of the marks of the data domains that fields of this version name, 0 where there are none: another one as soon as
    /// one of them is made, changed or removed. Only numbers of one process are to be compared.
    pub domains: u64,
}
