//! What is said on home of faults, of days and of records that changed, and of faults on their own pages. A `{}` in a text is filled
//! in by the page.

use super::counted::OneOrMany;

/// The texts.
pub(in crate::admin::pages) struct HomeTexts {
    pub(in crate::admin::pages) dataset: &'static str,
    pub(in crate::admin::pages) day: &'static str,
    pub(in crate::admin::pages) days: &'static str,
    /// Where there is a count of one day alone.
    pub(in crate::admin::pages) days_first: &'static str,
    pub(in crate::admin::pages) days_table: &'static str,
    pub(in crate::admin::pages) days_what: &'static str,
    /// What leads to all of them.
    pub(in crate::admin::pages) faults_all: &'static str,
    pub(in crate::admin::pages) faults_counting: &'static str,
    /// How many are shown, and of how many.
    pub(in crate::admin::pages) faults_first: &'static str,
    /// Before which of them are shown, and of how many.
    pub(in crate::admin::pages) faults_kinds: &'static str,
    /// Of how many datasets these are, and how many have some.
    pub(in crate::admin::pages) faults_of_some: &'static str,
    /// Where no script asks for them.
    pub(in crate::admin::pages) faults_show: &'static str,
    /// How many datasets the index is still reading.
    pub(in crate::admin::pages) faults_unread: &'static str,
    /// Where there are faulty records, and nothing can be told of why.
    pub(in crate::admin::pages) faults_untold: &'static str,
    pub(in crate::admin::pages) faults_untold_why: &'static str,
    pub(in crate::admin::pages) faults_what: &'static str,
    /// What so many faulty records are called, with what one finds behind them.
    pub(super) faulty_why: OneOrMany,
    pub(in crate::admin::pages) less_than: &'static str,
    /// What stands between the whole and its tenths.
    pub(in crate::admin::pages) point: &'static str,
    pub(in crate::admin::pages) records_changed: &'static str,
    /// What stands between a number and the sign of percent.
    pub(in crate::admin::pages) percent: &'static str,
    pub(in crate::admin::pages) share_of_records: &'static str,
    /// Where there is data, and none of it is the visitor's to see.
    pub(in crate::admin::pages) unreached: &'static str,
    pub(in crate::admin::pages) unreached_why: &'static str,
}
