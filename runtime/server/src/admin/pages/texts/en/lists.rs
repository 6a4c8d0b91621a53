//! What pages say in English of a long list that they show in parts.

use super::super::lists::ListTexts;

pub(super) const TEXTS: ListTexts = ListTexts {
    find: "Find by name",
    none_found: "Nothing here has this in its name.",
    shown: "{} to {} of {}",
    shown_found: "{} to {} of {} with “{}” in them",
    ticked_elsewhere: "Ticked, and not shown here: {}. They stay ticked.",
};
