//! A form as a page offers it to be sent again: what sending it does, what it was filled in with, and what is long in inputs,
//! where it can be copied whole and, of one that was refused as too large, shortened. All of it is in the page, nothing on the
//! server.

use super::cut_text::Room;
use super::kept::Kept;
use super::texts::Texts;
use super::visit::{CARRIED_NAME, OF_THEN, Page, Site, shown};
use crate::admin::response::no_store;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use std::collections::HashSet;

/// Bytes of a value from which on one looks for what may be left out of it.
const LONG: usize = 1 << 10;
/// So many inputs may be shortened where no value is as long: those with the longest ones.
const LONGEST: usize = 20;
/// Inputs that no list tells of, in which there is work all the same: a whole schema, and what was pasted.
const WORK: [&str; 2] = ["document", "cells"];

/// A form to be sent again.
pub(super) struct SentAgain {
    pub(super) kept: Kept,
    /// What sending it does, in short; none where it goes on at once.
    pub(super) does: Option<String>,
    /// What it is about.
    pub(super) about: Vec<(String, String)>,
    /// What was filled in, by what it is called.
    pub(super) told: Vec<(String, String)>,
    /// What no list shows whole: its input, what that is called, and what stands in it.
    pub(super) long: Vec<(String, String, String)>,
    /// Whether that is to be shortened.
    pub(super) is_too_long: bool,
    /// Whether it goes on without another look.
    pub(super) is_at_once: bool,
}

impl SentAgain {
    /// One that goes on without another look.
    pub(super) fn at_once(kept: Kept) -> Self {
        SentAgain {
            kept,
            does: None,
            about: Vec::new(),
            told: Vec::new(),
            long: Vec::new(),
            is_too_long: false,
            is_at_once: true,
        }
    }

    /// One that is looked at before.
    pub(super) fn of(site: &Site, kept: Kept, texts: &Texts) -> Self {
        SentAgain {
            does: (site.does_at)(&kept.to, texts),
            about: kept.about(texts),
            told: kept.told(texts),
            is_at_once: false,
            ..SentAgain::at_once(kept)
        }
    }

    /// The same, with what is long in inputs.
    pub(super) fn to_be_shortened(site: &Site, mut kept: Kept, texts: &Texts) -> Self {
        let long = take_long(&mut kept);
        let long = named(&kept, long, texts);
        SentAgain {
            is_too_long: !long.is_empty(),
            long,
            ..SentAgain::of(site, kept, texts)
        }
    }

    /// The same of one that may be refused again, with whatever no list shows whole, to be copied.
    pub(super) fn to_be_copied(site: &Site, mut kept: Kept, texts: &Texts) -> Self {
        let cut = take_cut(&mut kept, texts);
        SentAgain {
            long: named(&kept, cut, texts),
            ..SentAgain::of(site, kept, texts)
        }
    }

    /// Whether anything was typed or chosen in it that has a name on pages.
    pub(super) fn has_work(&self) -> bool {
        !self.told.is_empty() || !self.long.is_empty()
    }
}

/// What held a form up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeldUpBy {
    /// Its session had ended.
    EndedSession,
    /// Its page was made for another session than the browser has now.
    OtherSession,
    /// Its user had to show the password anew.
    Proof,
}

#[derive(Template)]
#[template(path = "kept.html")]
struct KeptPage {
    page: Page,
    title: &'static str,
    what: &'static str,
    again: SentAgain,
}

/// The page that sends the form again: after another look, or at once where there is a script.
pub(super) fn send_again(
    site: &Site,
    page: Page,
    kept: Kept,
    held_up_by: HeldUpBy,
) -> Result<Response<Body>, Failure> {
    let own = &page.t.access;
    let (title, what) = match held_up_by {
        HeldUpBy::EndedSession if kept.lacks_file() => (own.kept, own.kept_but_file),
        HeldUpBy::EndedSession => (own.kept, own.kept_what),
        HeldUpBy::OtherSession if kept.lacks_file() => (own.kept, own.kept_other_sign_in_but_file),
        HeldUpBy::OtherSession => (own.kept, own.kept_other_sign_in),
        HeldUpBy::Proof => (own.kept_on_its_way, own.kept_go_on),
    };
    let again = if held_up_by == HeldUpBy::Proof && kept.secrets.is_empty() {
        SentAgain::at_once(kept)
    } else {
        SentAgain::of(site, kept, page.t)
    };
    let page = KeptPage {
        page,
        title,
        what,
        again,
    };
    shown(&page).map(no_store)
}

/// Takes the inputs with long values out of a form, or those with the longest, each with all of its values, so that these stay
/// in their order. What says what was there before is none of them, and no form that is carried along.
fn take_long(kept: &mut Kept) -> Vec<(String, String)> {
    let is_hidden =
        |name: &str| name == CARRIED_NAME || OF_THEN.iter().any(|it| name.starts_with(it));
    let fields = std::mem::take(&mut kept.fields);
    let shown = fields.iter().filter(|(name, _)| !is_hidden(name));
    let mut by_length: Vec<_> = shown
        .map(|(name, value)| (value.len(), name.clone()))
        .collect();
    by_length.sort_unstable();
    by_length.reverse();
    let long = by_length.iter().filter(|(bytes, _)| *bytes > LONG).count();
    let taken = if long > 0 { long } else { LONGEST };
    let taken = by_length.into_iter().take(taken);
    let names: HashSet<String> = taken.map(|(_, name)| name).collect();
    kept.fields = fields;
    take(kept, &names)
}

/// The same of those with values that a list cuts, and of those in which there is work that no list tells of.
fn take_cut(kept: &mut Kept, texts: &Texts) -> Vec<(String, String)> {
    let room = Room::of_value(texts);
    let is_cut = |name: &str, value: &str| {
        let told = kept.told_of(name, value, texts);
        told.is_some_and(|(_, told)| !room.is_whole(&told))
    };
    let is_work = |name: &str, value: &str| WORK.contains(&name) && !value.is_empty();
    let fields = kept.fields.iter();
    let fields = fields.filter(|(name, value)| is_work(name, value) || is_cut(name, value));
    let names: HashSet<String> = fields.map(|(name, _)| name.clone()).collect();
    take(kept, &names)
}

/// Takes inputs out of a form, by their names.
fn take(kept: &mut Kept, names: &HashSet<String>) -> Vec<(String, String)> {
    let fields = std::mem::take(&mut kept.fields).into_iter();
    let (taken, others) = fields.partition(|(name, _)| names.contains(name));
    kept.fields = others;
    taken
}

/// Inputs that were taken out of a form, with what they are called.
fn named(
    kept: &Kept,
    taken: Vec<(String, String)>,
    texts: &Texts,
) -> Vec<(String, String, String)> {
    let label = |name: &str| match name {
        "document" => texts.schemas.as_json.to_owned(),
        "cells" => texts.paste.title.to_owned(),
        name => {
            let told = kept.told_of(name, "", texts);
            told.map_or_else(|| texts.field.to_owned(), |(label, _)| label)
        }
    };
    let named = taken.into_iter().map(|(name, value)| {
        let label = label(&name);
        (name, label, value)
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_is_taken_with_all_values_of_its_input_in_their_order() {
        let long = "x".repeat(LONG + 1);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let pairs = vec![
            pair("v-1", &long),
            pair("w-1", &long),
            pair("v-2", "short"),
            pair("cells", "a"),
            pair("cells", &long),
            pair("cells", "b"),
        ];
        let mut kept = Kept::of("/areas", pairs);
        let taken = take_long(&mut kept);
        let short = |pairs: &[(String, String)]| -> Vec<String> {
            let short = pairs
                .iter()
                .map(|(name, value)| format!("{name} {}", &value[..1]));
            short.collect()
        };
        assert_eq!(short(&taken), ["v-1 x", "cells a", "cells x", "cells b"]);
        assert_eq!(short(&kept.fields), ["w-1 x", "v-2 s"]);
    }

    #[test]
    fn where_no_value_is_long_the_longest_may_be_shortened() {
        let value = |at: usize| "x".repeat(at);
        let pairs = (1..=LONGEST + 5).map(|at| (format!("v-{at}"), value(at)));
        let mut kept = Kept::of("/areas", pairs.collect());
        let taken = take_long(&mut kept);
        assert_eq!((taken.len(), kept.fields.len()), (LONGEST, 5));
        assert!(kept.fields.iter().all(|(_, value)| value.len() <= 5));
    }

    #[test]
    fn what_a_list_cuts_and_work_that_none_tells_of_are_taken_whole() {
        let texts = Texts::liked("en");
        let long = "x".repeat(LONG);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let pairs = vec![
            pair("name", "short"),
            pair("description", &long),
            pair("w-1", &long),
            pair("about", &long),
            pair("document", "{}"),
            pair("cells", ""),
        ];
        let mut kept = Kept::of("/areas", pairs);
        let taken = take_cut(&mut kept, texts);
        let inputs = named(&kept, taken, texts);
        let inputs: Vec<_> = inputs.iter().map(|(name, ..)| &**name).collect();
        assert_eq!(inputs, ["description", "document"]);
        assert_eq!(kept.fields.len(), 4);
        // short values stand in the list, and nothing is taken to be shortened
        let mut kept = Kept::of("/areas", vec![pair("name", "short")]);
        assert!(take_cut(&mut kept, texts).is_empty());
    }
}
