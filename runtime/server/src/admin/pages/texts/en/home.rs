//! What is said on home in English.

use super::super::home::HomeTexts;

pub(super) const TEXTS: HomeTexts = HomeTexts {
    day: "Day (UTC)",
    days: "Faulty records day by day",
    days_first: "Counting has just begun: tomorrow there will be a line.",
    days_table: "The numbers as a table",
    days_what: "The share of records, in per cent, that have a fault at the end of each day. A gap means that nothing was counted.",
    faults_counting: "Faults are being counted …",
    less_than: "less than",
    point: ".",
    records_changed: "Recently changed records",
    percent: "%",
};
