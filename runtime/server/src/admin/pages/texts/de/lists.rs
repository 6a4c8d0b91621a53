//! What pages say in German of a long list that they show in parts.

use super::super::lists::ListTexts;

pub(super) const TEXTS: ListTexts = ListTexts {
    find: "Nach dem Namen suchen",
    none_found: "Hier kommt das in keinem Namen vor.",
    shown: "{} bis {} von {}",
    shown_found: "{} bis {} von {}, in denen „{}“ vorkommt",
    ticked_elsewhere: "Angekreuzt und hier nicht zu sehen: {}. Sie bleiben angekreuzt.",
};
