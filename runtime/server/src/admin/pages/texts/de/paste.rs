//! What is said of cells that are pasted into the grid, in German.

use super::super::paste::PasteTexts;

pub(super) const TEXTS: PasteTexts = PasteTexts {
    beyond: "Dafür gibt es keinen Platz",
    beyond_what: "Was keinen Platz hat, bleibt hier stehen, damit Sie es kopieren können.",
    columns_left: "Spalten, die über die letzte der Liste hinausgehen: {}.",
    columns_shut: "Spalten, die Dateien enthalten oder deren Werte Sie nicht sehen: {}.",
    first_faulty: "Zum ersten",
    gone: "Er wurde inzwischen gelöscht; das Eingefügte steht hier.",
    none: "Keine der Zeilen wurde geschrieben; was in sie eingefügt wurde, steht unten mit dem Grund.",
    nothing: "Jede Zelle enthält schon, was eingefügt wurde.",
    over: "Überschreiben, was inzwischen gespeichert ist",
    refused: "Einige Zeilen wurden nicht geschrieben; was in sie eingefügt wurde, steht unten mit dem Grund.",
    rows_left: "Zeilen, die über den letzten Datensatz dieser Seite hinausgehen: {}. Gibt es eine nächste Seite, fügen Sie sie dort ein.",
    same: "Enthalten es schon",
    title: "Eingefügte Zellen",
    unsent: "Mit dem Eingefügten noch einmal versuchen",
    what: "Noch wird nichts geschrieben. Alles zusammen ist eine Änderung, die sich rückgängig machen lässt.",
    write: "Die Änderungen schreiben",
    written: "Zu dem, was geschrieben wurde",
};
