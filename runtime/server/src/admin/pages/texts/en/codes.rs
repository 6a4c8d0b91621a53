//! What pages say in English of a long list of codes.

use super::super::codes::CodesTexts;

pub(super) const TEXTS: CodesTexts = CodesTexts {
    both_changed: "Both of you changed these codes, and your change stands: {}.",
    filter: "Find codes",
    meanwhile: "Someone else has changed this in the meantime, and nothing was saved. Your changes now stand on theirs, code by code: check the lines and save again.",
    meanwhile_whole: "Someone else has changed this in the meantime, and nothing was saved. Your list stands below as you filled it in: saved again, it replaces all that is stored now.",
    none_found: "No code has this in it. Lines that you add are new codes.",
    shown: "{} to {} of {} codes. The others stay as they are.",
    shown_found: "{} to {} of {} codes with “{}” in them. The others stay as they are.",
    shown_own: "{} lines, with the codes of your part as they are by now and what you typed; there are {} codes. The others stay as they are.",
    whole: "These lines replace all {} codes",
    too_long: "This is too long to be saved: it may have {}. What you filled in is kept.",
};
