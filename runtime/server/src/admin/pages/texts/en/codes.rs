//! What pages say in English of a long list of codes.

use super::super::codes::CodesTexts;

pub(super) const TEXTS: CodesTexts = CodesTexts {
    filter: "Find codes",
    left_out: "Typed and not stored; add what is still meant:",
    none_found: "No code has this in it. Lines that you add go behind the last code.",
    shown: "{} to {} of {} codes. The others stay as they are.",
    shown_found: "{} to {} of {} codes with “{}” in them. The others stay as they are.",
    whole: "These lines replace all {} codes",
};
