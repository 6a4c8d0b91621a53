//! What is said of cells that are pasted into the grid, in German.

use super::super::paste::PasteTexts;

pub(super) const TEXTS: PasteTexts = PasteTexts {
    beyond: "Dafür gibt es keinen Platz",
    beyond_what: "Im Raster fehlen Datensätze oder Spalten dafür, ihre Spalte enthält Dateien, oder Sie sehen deren Werte nicht. Sie bleiben hier stehen, um sie mitzunehmen.",
    gone: "Er wurde inzwischen gelöscht; das Eingefügte steht hier.",
    none: "Keine der Zeilen wurde geschrieben; was in sie eingefügt wurde, steht unten mit dem Grund.",
    nothing: "Jede Zelle enthält schon, was eingefügt wurde.",
    over: "Überschreiben, was inzwischen gespeichert ist",
    refused: "Einige Zeilen wurden nicht geschrieben; was in sie eingefügt wurde, steht unten mit dem Grund.",
    same: "Enthalten es schon",
    title: "Eingefügte Zellen",
    unsent: "Mit dem Eingefügten noch einmal versuchen",
    what: "Noch wird nichts geschrieben. Alles zusammen ist eine Änderung, die sich rückgängig machen lässt.",
    write: "Die Änderungen schreiben",
    written: "Zu dem, was geschrieben wurde",
};
