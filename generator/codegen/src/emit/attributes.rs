//! The attributes that every construct may have: derives, allowed lints, and what the configuration gives.
//!
//! ```text
//! #[allow(
//!     clippy::struct_field_names,
//!     reason = "the fields are named as in the schema"
//! )]
//! ```

use crate::plan::Allow;
use crate::syntax::{Argument, Attribute};
use std::collections::HashSet;

/// Where an attribute says the same twice, as two tags of one name do, clippy has to be told.
const REPEATS: Allow = Allow {
    lint: "duplicated_attributes",
    reason: "what is said twice is about two things",
};

/// `#[allow(…)]` for each of the lints.
pub(super) fn allows(allows: &[Allow]) -> impl Iterator<Item = Attribute> {
    allows.iter().map(allow)
}

/// `#[allow(…)]` for settings that clippy takes for repetitions.
pub(super) fn allow_repeats(settings: &[Argument]) -> Option<Attribute> {
    repeats(settings).then(|| allow(&REPEATS))
}

fn allow(Allow { lint, reason }: &Allow) -> Attribute {
    let words = [format!("clippy::{lint}"), format!("reason = {reason:?}")];
    Attribute::of_words("allow", words)
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

/// Whether clippy thinks that the arguments say something twice: two words or texts that are equal
/// and stand under the same names. It does not look at other values than texts.
fn repeats(arguments: &[Argument]) -> bool {
    fn has_new<'a>(
        keys: &mut HashSet<(Vec<&'a str>, &'a str)>,
        path: &[&'a str],
        all: &'a [Argument],
    ) -> bool {
        all.iter().all(|argument| match argument {
            Argument::Word(word) if word.starts_with('"') => true,
            Argument::Word(word) => {
                let (key, value) = word.split_once(" = ").unwrap_or((word, ""));
                let is_text = value.ends_with(['"', '#']);
                keys.insert((path.to_vec(), if is_text { word } else { key }))
            }
            Argument::Call(call) => has_new(keys, &[path, &[call.name]].concat(), &call.arguments),
        })
    }
    // words can only be repeated in several calls
    calls(arguments) > 1 && !has_new(&mut HashSet::new(), &[], arguments)
}

/// How many calls there are, at any depth.
fn calls(arguments: &[Argument]) -> usize {
    let counts = arguments.iter().map(|argument| match argument {
        Argument::Word(_) => 0,
        Argument::Call(call) => 1 + calls(&call.arguments),
    });
    counts.sum()
}
