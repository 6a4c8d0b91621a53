//! What is said on home of days and of records that changed.

use super::counted::OneOrMany;

/// The texts.
pub(in crate::admin::pages) struct HomeTexts {
    pub(in crate::admin::pages) day: &'static str,
    pub(in crate::admin::pages) days: &'static str,
    /// Where there is a count of one day alone.
    pub(in crate::admin::pages) days_first: &'static str,
    pub(in crate::admin::pages) days_table: &'static str,
    pub(in crate::admin::pages) days_what: &'static str,
    pub(in crate::admin::pages) faults_counting: &'static str,
    /// What leads to the others where a small window has room for a few.
    pub(in crate::admin::pages) faults_more: &'static str,
    /// Where no script asks for them.
    pub(in crate::admin::pages) faults_show: &'static str,
    /// Where there are faulty records, and nothing can be told of why.
    pub(in crate::admin::pages) faults_untold: &'static str,
    pub(in crate::admin::pages) faults_untold_why: &'static str,
    /// What so many faulty records are called, with what one finds behind them.
    pub(super) faulty_why: OneOrMany,
    pub(in crate::admin::pages) less_than: &'static str,
    /// What stands between the whole and its tenths.
    pub(in crate::admin::pages) point: &'static str,
    pub(in crate::admin::pages) records_changed: &'static str,
    /// What stands between a number and the sign of percent.
    pub(in crate::admin::pages) percent: &'static str,
    /// Where there is data, and none of it is the visitor's to see.
    pub(in crate::admin::pages) unreached: &'static str,
    pub(in crate::admin::pages) unreached_why: &'static str,
}
