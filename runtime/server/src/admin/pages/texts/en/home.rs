//! What is said on home in English.

use super::super::home::HomeTexts;

pub(super) const TEXTS: HomeTexts = HomeTexts {
    dataset: "Dataset",
    day: "Day (UTC)",
    days: "Faulty records day by day",
    days_first: "There is no chart yet, because counting began today. From tomorrow on, a line shows the share of faulty records day by day.",
    days_table: "The numbers as a table",
    days_what: "The share of records, in per cent, that had a fault at the end of each day. A gap in the line means that nothing was counted on that day.",
    faults_all: "All faults by field",
    faults_counting: "Faults are being counted …",
    faults_first: "The {} most frequent of {} kinds of faults.",
    faults_kinds: "Kinds of faults: {}",
    faults_of_some: "These are the faults of the {} datasets with the most faulty records, of {} that have any.",
    faults_show: "Show what is wrong most often",
    faults_unread: "Missing here are datasets that the search index is still reading: {}.",
    faults_untold: "There are faulty records",
    faults_untold_why: "What is wrong with them can't be counted now. Try again in a while; the page of a dataset tells what is wrong with each of its records.",
    faults_what: "Each line is a kind of fault: a field, and a rule that values in it break. The most frequent stand first; each rule leads to its records.",
    faulty_why: ["faulty record: see why", "faulty records: see why"],
    less_than: "less than",
    point: ".",
    records_changed: "Records changed last",
    percent: "%",
    unreached: "You have no access to any area yet",
    unreached_why: "There is data, but none that you may see. Ask an administrator for access to an area.",
    share_of_records: "Share of records",
};
