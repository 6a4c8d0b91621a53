//! What goals of the palette are called in English.

use super::super::goals::GoalTexts;

pub(super) const TEXTS: GoalTexts = GoalTexts {
    change: "Rename or change",
    copies: "clone duplicate",
    renews: "rotate renew",
};
