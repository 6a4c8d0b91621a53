//! What is said on home in English.

use super::super::home::HomeTexts;

pub(super) const TEXTS: HomeTexts = HomeTexts {
    day: "Day (UTC)",
    days: "Faulty records day by day",
    days_first: "Counting has just begun: tomorrow there will be a line.",
    days_table: "The numbers as a table",
    days_what: "The share of records, in per cent, that have a fault at the end of each day. A gap means that nothing was counted.",
    faults_counting: "Faults are being counted …",
    faults_more: "Show more of them",
    faults_show: "Show what is wrong most often",
    faults_untold: "There are faulty records",
    faults_untold_why: "What is wrong with them can't be counted now. Try again in a while; the page of a dataset tells what is wrong with each of its records.",
    faulty_why: ["faulty record: see why", "faulty records: see why"],
    less_than: "less than",
    point: ".",
    records_changed: "Recently changed records",
    percent: "%",
    unreached: "You have access to no area",
    unreached_why: "There is data, but none that you may see. Ask an administrator to give you an area.",
};
