//! What goals of the palette are called in German.

use super::super::goals::GoalTexts;

pub(super) const TEXTS: GoalTexts = GoalTexts {
    change: "Umbenennen oder ändern",
    copies: "klonen duplizieren kopieren",
    renews: "rotieren erneuern wechseln",
};
