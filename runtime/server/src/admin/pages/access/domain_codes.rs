//! The codes of a data domain as its form holds them: all of them, or of many the part that was shown. What is stored and was
//! not shown stays.

use crate::admin::pages::code_part::{CodePart, Pair, put_shown};
use crate::admin::pages::codes_view::{CodesView, PartView};
use crate::admin::pages::merged_codes::{Coded, merged};
use crate::admin::pages::pair_lines::{lines_of, pairs};
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Form, Visit};
use service::Refusal;
use service::manage::{DomainCode, DomainContent, DomainView};
use std::collections::HashSet;

/// The member of forms that holds the lines that they were made of, as they are stored.
const SHOWN: &str = "codes-shown";

/// What is shown of a domain, whether it is stored or was typed.
pub(super) struct DomainForm {
    /// Empty for a new one.
    pub(super) id: String,
    pub(super) version: i64,
    pub(super) name: String,
    pub(super) codes: CodesView,
    /// The lines that those of the form were made of.
    pub(super) shown: String,
    /// Whether it is as it was typed: who leaves the page loses that.
    pub(super) is_typed: bool,
}

/// What was typed of a domain that someone else stored meanwhile, on what is stored by now.
pub(super) struct Overtaken {
    pub(super) form: DomainForm,
    /// Whether the lines are to be the whole list.
    pub(super) is_whole: bool,
    /// The lines that are stored, of the codes that the form is about.
    pub(super) stored: String,
    /// The codes that both changed.
    pub(super) contested: Vec<String>,
}

impl DomainForm {
    /// One that is to be made.
    pub(super) fn new() -> Self {
        DomainForm {
            id: String::new(),
            version: 0,
            name: String::new(),
            codes: all_lines(String::new()),
            shown: String::new(),
            is_typed: false,
        }
    }

    /// The same as it was typed.
    pub(super) fn typed_new(form: &Form) -> Self {
        DomainForm {
            name: form.text("name").to_owned(),
            codes: all_lines(form.text("codes").to_owned()),
            is_typed: true,
            ..DomainForm::new()
        }
    }

    /// One that is stored, with a part of its codes where they are many.
    pub(super) fn of(domain: DomainView, part: &CodePart, texts: &Texts) -> Self {
        let codes = CodesView::of(&pairs_of(&domain.codes), part, texts);
        DomainForm {
            shown: codes.lines.clone(),
            codes,
            id: domain.data_domain_id,
            version: domain.version,
            name: domain.name,
            is_typed: false,
        }
    }

    /// One that is stored, as it was typed.
    pub(super) fn typed(stored: &DomainView, form: &Form, texts: &Texts) -> Self {
        let mut codes = all_lines(form.text("codes").to_owned());
        let part = CodePart::of_form(form);
        let made_of = CodesView::of(&pairs_of(&stored.codes), &part, texts);
        if form.get("codes-from").is_some() {
            codes.part = made_of.part;
        }
        if form.get("codes-whole").is_some() {
            codes.part = codes.part.map(PartView::of_whole);
        }
        DomainForm {
            id: stored.data_domain_id.clone(),
            // whether someone else stored it meanwhile is told once it can be saved
            version: version_of(form).unwrap_or(stored.version),
            name: form.text("name").to_owned(),
            codes,
            shown: form.get(SHOWN).map_or(made_of.lines, str::to_owned),
            is_typed: true,
        }
    }
}

impl Overtaken {
    /// What was typed, brought onto what is stored by now, code by code; lines that are to be the whole list stay as they are.
    pub(super) fn of(stored: &DomainView, form: &Form, texts: &Texts) -> Self {
        let is_whole = form.get("codes-whole").is_some();
        let all = pairs_of(&stored.codes);
        let [was, typed] = [SHOWN, "codes"].map(|it| pairs(form.text(it)).collect::<Vec<_>>());
        let mut codes = CodesView::of(&all, &CodePart::wanted(form), texts);
        // of many codes the form has those that it was made of, and what was typed beside them
        let beside = typed.iter().filter(|_| !is_whole);
        let own: HashSet<&String> = was.iter().chain(beside).map(|pair| &pair[0]).collect();
        let is_own = |pair: &&Pair| codes.part.is_none() || own.contains(&pair[0]);
        let theirs: Vec<Pair> = all.iter().filter(is_own).cloned().collect();
        let (lines, contested) = if is_whole {
            (lines_of(&typed), Vec::new())
        } else {
            let [was, other, own] = [&was, &theirs, &typed].map(|it| coded(it));
            // called for what both changed, each in its own way
            let both = |_: Option<&Pair>, _: &Pair, mine: &Pair| (mine.clone(), true);
            let merged = merged([&was[..], &other, &own], both);
            (lines_of(&merged.entries), merged.contested)
        };
        let shown = lines_of(&theirs);
        // the codes of the form may stand in several parts by now, and others in that which it was made of
        codes.part = codes.part.map(|part| {
            if is_whole {
                part.of_whole()
            } else {
                part.of_own(lines.lines().count(), all.len(), texts)
            }
        });
        codes.lines = lines;
        Overtaken {
            is_whole,
            stored: if is_whole {
                lines_of(&all)
            } else {
                shown.clone()
            },
            contested,
            form: DomainForm {
                id: stored.data_domain_id.clone(),
                version: stored.version,
                name: form.text("name").to_owned(),
                codes,
                shown,
                is_typed: true,
            },
        }
    }
}

/// Pairs by their codes.
fn coded(pairs: &[Pair]) -> Vec<Coded<Pair>> {
    let coded = |pair: &Pair| Coded {
        code: pair[0].clone(),
        entry: pair.clone(),
    };
    pairs.iter().map(coded).collect()
}

/// Lines that are all there is.
fn all_lines(lines: String) -> CodesView {
    CodesView { lines, part: None }
}

fn pairs_of(codes: &[DomainCode]) -> Vec<Pair> {
    let pair = |it: &DomainCode| [it.code.clone(), it.description.clone()];
    codes.iter().map(pair).collect()
}

fn codes_of(pairs: impl Iterator<Item = Pair>) -> Vec<DomainCode> {
    let codes = pairs.map(|[code, description]| DomainCode { code, description });
    codes.collect()
}

/// The codes of such lines.
fn read(text: &str) -> Vec<DomainCode> {
    codes_of(pairs(text))
}

/// The version that a form was made from.
pub(super) fn version_of(form: &Form) -> Option<i64> {
    form.text("version").parse().ok()
}

/// A domain that is to be made.
pub(super) fn new(form: &Form) -> DomainContent {
    DomainContent {
        name: form.text("name").trim().to_owned(),
        codes: read(form.text("codes")),
        version: version_of(form),
    }
}

/// A domain with what was typed. Where that is a part of its codes, the others are those that are stored; if they are of
/// another version than the form, the service refuses it for that.
///
/// # Errors
/// No such domain, missing rights.
pub(super) fn changed<P>(
    visit: &Visit<P>,
    id: &str,
    form: &Form,
) -> Result<DomainContent, Refusal> {
    let typed = new(form);
    let Some(part) = CodePart::of(form) else {
        return Ok(typed);
    };
    let stored = visit.site.service.domains();
    let stored = stored.show(&visit.caller, id)?;
    let all = pairs_of(&stored.codes);
    let is_same = typed.version.is_none_or(|it| it == stored.version);
    let changed = is_same.then(|| match form.get(SHOWN) {
        Some(shown) => put_shown(&all, shown, form.text("codes")),
        None => part.put(&all, form.text("codes")),
    });
    let codes = match changed.flatten() {
        Some(entries) => codes_of(entries.into_iter().map(|it| it.pair)),
        None => stored.codes,
    };
    Ok(DomainContent { codes, ..typed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_they_are_written() {
        let text = "DE = Germany\nFR\n\nIT\tItaly\na=b\nES | Spain";
        let codes = read(text);
        let written = lines_of(&pairs_of(&codes));
        assert_eq!(written, "DE = Germany\nFR\nIT = Italy\na=b\nES = Spain");
        assert_eq!(read(&written), codes);
        assert!(read(" \n").is_empty());
    }
}
