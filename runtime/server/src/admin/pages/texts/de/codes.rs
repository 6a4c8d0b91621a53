//! What pages say in German of a long list of codes.

use super::super::codes::CodesTexts;

pub(super) const TEXTS: CodesTexts = CodesTexts {
    filter: "Codes suchen",
    left_out: "Eingegeben und nicht gespeichert; was davon noch gelten soll, wieder eintragen:",
    none_found: "In keinem Code kommt das vor. Neue Zeilen kommen hinter den letzten Code.",
    shown: "{} bis {} von {} Codes. Die anderen bleiben, wie sie sind.",
    shown_found: "{} bis {} von {} Codes, in denen „{}“ vorkommt. Die anderen bleiben, wie sie sind.",
    whole: "Diese Zeilen ersetzen alle {} Codes",
};
