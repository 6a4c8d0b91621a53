//! A category tag: `tag(id = "…", name = "…", extra = "…")`.

use super::code::extra_places;
use super::meta::{MetaItem, no_duplicates};
use crate::errors::Errors;
use crate::source_map::SourceMap;
use quote::ToTokens as _;
use schema::{Classifier, Path};

/// `tag(id = "…", name = "…", extra = "…")`
pub(super) fn tag(
    item: &MetaItem,
    path: &Path,
    places: &mut SourceMap,
    errors: &mut Errors,
) -> Classifier {
    let mut tag = Classifier::default();
    let Some(items) = item.list(errors) else {
        return tag;
    };
    no_duplicates(items, &[], errors);
    for part in items {
        match part.name().as_str() {
            "id" => tag.tag_id = part.text(errors).unwrap_or_default(),
            "name" => tag.tag_name = part.text(errors).unwrap_or_default(),
            "extra" => {
                tag.extra = part.extra(errors).unwrap_or_default();
                let mut own = SourceMap::default();
                extra_places(&tag.extra, &part.value.to_token_stream(), &mut own);
                places.adopt(path, own);
            }
            _ => part.unknown(&["id", "name", "extra"], errors),
        }
    }
    for wanted in ["id", "name"] {
        if !items.iter().any(|part| part.name() == wanted) {
            let message = format!("the tag has no {wanted}; add `{wanted} = \"…\"`");
            errors.at(item.key_place(), message);
        }
    }
    tag
}
