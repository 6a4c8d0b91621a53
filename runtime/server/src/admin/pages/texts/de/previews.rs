//! What is told of files on a page, in German.

use super::super::previews::PreviewTexts;

pub(super) const TEXTS: PreviewTexts = PreviewTexts {
    film: "Film",
    picture: "Bild",
    sound: "Ton",
    too_large: "Die Datei ist größer als {}. Gespeichert wurde nichts; wählen Sie eine kleinere.",
};
