//! What is told of files on a page, in English.

use super::super::previews::PreviewTexts;

pub(super) const TEXTS: PreviewTexts = PreviewTexts {
    film: "Film",
    picture: "Picture",
    sound: "Sound",
    too_large: "The file is larger than {}. Nothing was stored; choose a smaller one.",
};
