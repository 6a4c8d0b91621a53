//! What is said on home in English.

use super::super::home::HomeTexts;

pub(super) const TEXTS: HomeTexts = HomeTexts {
    day: "Day (UTC)",
    days: "Faulty records day by day",
    days_first: "Counting has just begun: tomorrow there will be a line.",
    days_table: "The numbers as a table",
    days_what: "How many of a hundred records have a fault, at the end of each day. A gap: nobody counted.",
    less_than: "less than",
    point: ".",
    records_changed: "Records changed last",
    percent: "%",
};
