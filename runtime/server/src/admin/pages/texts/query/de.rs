//! What is said around the field for queries in German.

use super::QueryTexts;

pub(in super::super) const TEXTS: QueryTexts = QueryTexts {
    view_change: |name| format!("„{name}“ umbenennen oder löschen"),
    view_delete: "Diese Ansicht löschen",
    view_name: "Name der Ansicht",
    view_rename: "Umbenennen",
    view_save: "Diese Ansicht speichern",
    view_save_what: "Filter, Reihenfolge und Spalten, wie sie jetzt sind, unter einem Namen, für Sie allein.",
    views: "Gespeicherte Ansichten",
};
