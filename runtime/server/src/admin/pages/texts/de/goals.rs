//! What goals of the palette are called in German.

use super::super::goals::GoalTexts;

pub(super) const TEXTS: GoalTexts = GoalTexts {
    actions: "Aktionen",
    change: "Umbenennen oder ändern",
    copies: "klonen duplizieren kopieren",
    pages: "Seiten",
    records: "Datensätze",
    renews: "rotieren erneuern wechseln",
};
