//! What goals of the palette are called in English.

use super::super::goals::GoalTexts;

pub(super) const TEXTS: GoalTexts = GoalTexts {
    actions: "Actions",
    change: "Rename or change",
    copies: "clone duplicate",
    pages: "Pages",
    records: "Records",
    renews: "rotate renew",
};
