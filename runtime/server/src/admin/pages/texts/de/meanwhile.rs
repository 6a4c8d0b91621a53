//! What is said of what others changed since a form was made, in German.

use super::super::meanwhile::MeanwhileTexts;

pub(super) const TEXTS: MeanwhileTexts = MeanwhileTexts {
    changed_by: "Zuletzt geändert von",
    choose: "Dieses Feld haben beide geändert: Wählen Sie einen Wert.",
    contested: "Geändert haben beide:",
    deleted: "Dieser Datensatz wurde inzwischen gelöscht, und nichts wurde geschrieben. Was Sie eingegeben haben, steht hier: Speichern Sie es als neuen Datensatz, oder stellen Sie den gelöschten zuerst wieder her.",
    fields_gone: |fields| {
        format!(
            "Diese Felder lassen sich nicht mehr ausfüllen: {fields}. Nichts wurde gespeichert. Was Sie dafür eingegeben haben, steht unten, damit Sie es kopieren können."
        )
    },
    gone_typed: "Eingegeben für Felder, die es nicht mehr gibt",
    gone_typed_what: "Das Schema wurde geändert, seit Sie die Seite geöffnet haben, deshalb lässt sich das nicht speichern. Kopieren Sie, was Sie davon brauchen: Erneutes Speichern speichert alles andere.",
    reformatted: |fields| {
        format!(
            "Diese Felder werden inzwischen anders geschrieben als beim Öffnen der Seite: {fields}. Nichts wurde gespeichert. Ihre Eingaben stehen noch da: Prüfen Sie sie und machen Sie dann weiter."
        )
    },
};
