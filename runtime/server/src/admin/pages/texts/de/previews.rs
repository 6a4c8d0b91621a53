//! What files are called that are seen or heard on a page, in German.

use super::super::previews::PreviewTexts;

pub(super) const TEXTS: PreviewTexts = PreviewTexts {
    film: "Film",
    picture: "Bild",
    sound: "Ton",
};
