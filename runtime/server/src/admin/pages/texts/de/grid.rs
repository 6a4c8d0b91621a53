//! What is said of a grid and its cells, in German.

use super::super::grid::GridTexts;

pub(super) const TEXTS: GridTexts = GridTexts {
    characters_more: ["weiteres Zeichen", "weitere Zeichen"],
    clear: "Filter aufheben",
    columns_first: "Wieder die ersten Spalten",
    columns_more: "Rechts sind weitere Spalten →",
    copy_again: "Die ganzen Werte sind jetzt da: Kopieren Sie noch einmal.",
    copy_failed: "Es wurde nichts kopiert: Die ganzen Werte ließen sich nicht lesen. Bitte versuchen Sie es noch einmal.",
    copy_waits: "Die ganzen Werte werden gelesen …",
    edit_how: "Um einen Wert zu ändern, doppelklicken Sie darauf, drücken Sie darauf die Eingabetaste oder öffnen Sie den Datensatz.",
    edit_touch: "Um einen Wert zu ändern, tippen Sie zweimal darauf oder öffnen Sie den Datensatz.",
    export_found: "Gefundene exportieren",
    export_selected: "Ausgewählte exportieren",
    faulty_more: [
        "weiteres fehlerhaftes Feld auf dieser Seite",
        "weitere fehlerhafte Felder auf dieser Seite",
    ],
    kind_number: "eine Zahl",
    kind_text: "ein Text",
    kind_truth: "ein Ja-Nein-Wert",
    line_keys: "Die Eingabetaste speichert; Escape lässt es, wie es war.",
    lines_keys: "Strg+Eingabe speichert; Escape lässt es, wie es war.",
    more: "Mehr",
    one_per_line: "Ein Wert je Zeile",
    other_kind: "Als andere Art von Wert gespeichert, als dieses Feld annimmt, was man dem Text nicht ansieht; das bleibt so, wenn Sie andere Felder speichern.",
    other_kind_store: "So speichern, wie dieses Feld es annimmt",
    other_kind_take: "Um das zu ändern, wählen Sie „Beheben zu“.",
    paste_cells: "Zellen ausgewählt",
    rows_fewer: "So viele Spalten lassen auf einer Seite Platz für weniger Datensätze: höchstens {}.",
    select_first: "Kreuzen Sie zuerst Datensätze in der Liste an.",
    skip: "Zu den Datensätzen",
    written_as: |form, example| format!("{form}, etwa {example}"),
};
