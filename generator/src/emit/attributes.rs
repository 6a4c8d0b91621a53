//! The attributes that every construct may have: derives, allowed lints, and what the configuration gives.
//!
//! ```text
//! #[allow(
//!     clippy::struct_field_names,
//!     reason = "the fields are named as in the schema"
//! )]
//! ```

use crate::plan::Allow;
use crate::syntax::Attribute;

/// Where an attribute says the same twice, as two tags of one name do, clippy has to be told.
const REPEATS: Allow = Allow {
    lint: "duplicated_attributes",
    reason: "what is said twice is about two things",
};

/// `#[allow(…)]` for each of the lints, and for what repeats itself.
pub(super) fn allows(allows: &[Allow], repeats: bool) -> impl Iterator<Item = Attribute> {
    let all = allows.iter().chain(repeats.then_some(&REPEATS));
    all.map(|Allow { lint, reason }| {
        let words = [format!("clippy::{lint}"), format!("reason = {reason:?}")];
        Attribute::of_words("allow", words)
    })
}

/// `#[derive(…)]`, what the configuration adds at the end.
pub(super) fn derive(own: &[&str], added: &[String]) -> Attribute {
    let own = own.iter().map(|&name| name.to_owned());
    Attribute::of_words("derive", own.chain(added.iter().cloned()))
}

/// The attributes that the configuration gives.
pub(super) fn given(attributes: &[syn::Attribute]) -> impl Iterator<Item = Attribute> {
    let boxed = attributes.iter().cloned().map(Box::new);
    boxed.map(Attribute::Given)
}
