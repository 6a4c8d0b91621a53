//! What is said of the list of values of a repair, in German.

use super::super::mends::MendListTexts;

pub(super) const TEXTS: MendListTexts = MendListTexts {
    field_gone: |field| {
        format!(
            "„{field}“ ist kein Feld, das sich hier berichtigen lässt, oder keines mehr; so geht das nicht. Was dafür ausgefüllt war, steht unten: Wählen Sie ein anderes Feld."
        )
    },
    name: "Liste der Werte",
    not_parted: |line| {
        format!("Die Zeile „{line}“ hat kein Gleichheitszeichen; „{line} =“ leert diesen Wert.")
    },
    reformatted: |field| {
        format!(
            "Dieses Feld wird seit der Probe anders geschrieben: {field}. Nichts wurde geändert. Was für die Probe ausgefüllt war, steht unten: Prüfen Sie es und proben Sie es noch einmal."
        )
    },
    these: |count| match count {
        "1" => "Diesen einen beheben".to_owned(),
        count => format!("Diese {count} beheben"),
    },
    twice: |value| {
        format!(
            "Der Wert „{value}“ steht zweimal in der Liste, mit verschiedenen neuen Werten; behalten Sie einen."
        )
    },
    what: "Nur zum Ersetzen ganzer Werte. Je Zeile: bisheriger Wert = neuer Wert. Steht nichts hinter dem Zeichen, wird der Wert geleert. Text, der selbst ein Gleichheitszeichen oder außen Leerzeichen hat, steht in Anführungszeichen.",
};
