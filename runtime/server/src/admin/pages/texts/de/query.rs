//! What is said around the field for queries in German.

use super::super::query::QueryTexts;

pub(super) const TEXTS: QueryTexts = QueryTexts {
    and: "beides",
    comparison: "vergleicht nach der Bedeutung",
    completions: "Was als Nächstes stehen kann",
    fault: "mit einem Fehler in einem Feld",
    faulty: "mit Fehlern",
    none: "ohne Wert",
    not: "ohne das Folgende",
    or: "eines von beiden",
    order: "in der Reihenfolge eines Felds; - kehrt sie um",
    previous_page: "Vorige Seite",
    view_change: |name| format!("„{name}“ umbenennen oder löschen"),
    view_delete: "Diese Ansicht löschen",
    view_name: "Name der Ansicht",
    view_rename: "Umbenennen",
    view_replace: "Ersetzen",
    view_replace_what: "Oder einer Ihrer Ansichten geben, was jetzt zu sehen ist",
    view_save: "Diese Ansicht speichern",
    view_save_what: "Filter, Reihenfolge und Spalten, wie sie jetzt sind, unter einem Namen, für Sie allein.",
    views: "Gespeicherte Ansichten",
};
