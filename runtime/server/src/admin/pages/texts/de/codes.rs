//! What pages say in German of a long list of codes.

use super::super::codes::CodesTexts;

pub(super) const TEXTS: CodesTexts = CodesTexts {
    both_changed: "Diese Codes haben Sie beide geändert, und Ihre Änderung gilt: {}.",
    filter: "Codes suchen",
    meanwhile: "Jemand anderes hat das inzwischen geändert; gespeichert wurde nichts. Ihre Änderungen stehen jetzt auf dieser Fassung, Code für Code: Prüfen Sie die Zeilen, und speichern Sie noch einmal.",
    meanwhile_whole: "Jemand anderes hat das inzwischen geändert; gespeichert wurde nichts. Ihre Liste steht unten, wie Sie sie eingegeben haben: Noch einmal gespeichert, ersetzt sie alles, was jetzt gespeichert ist.",
    none_found: "In keinem Code kommt das vor. Neue Zeilen sind neue Codes.",
    shown: "{} bis {} von {} Codes. Die anderen bleiben, wie sie sind.",
    shown_found: "{} bis {} von {} Codes, in denen „{}“ vorkommt. Die anderen bleiben, wie sie sind.",
    shown_own: "{} Zeilen, mit den Codes Ihres Ausschnitts, wie sie inzwischen sind, und dem, was Sie eingegeben haben; es gibt {} Codes. Die anderen bleiben, wie sie sind.",
    whole: "Diese Zeilen ersetzen alle {} Codes",
    too_long: "Das ist zum Speichern zu lang: Es darf {} haben. Was Sie eingegeben haben, steht noch da.",
};
