//! The codes of a data domain as its form holds them: all of them, or of many the part that was shown. What is stored and was
//! not shown stays.

use crate::admin::pages::code_part::{CodePart, CodesView, Pair};
use crate::admin::pages::pair_lines::{line_of, pairs};
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Form, Visit};
use service::Refusal;
use service::manage::{DomainCode, DomainContent, DomainView};

/// What is shown of a domain, whether it is stored or was typed.
pub(super) struct DomainForm {
    /// Empty for a new one.
    pub(super) id: String,
    pub(super) version: i64,
    pub(super) name: String,
    pub(super) codes: CodesView,
}

impl DomainForm {
    /// One that is to be made.
    pub(super) fn new() -> Self {
        DomainForm {
            id: String::new(),
            version: 0,
            name: String::new(),
            codes: all_lines(String::new()),
        }
    }

    /// The same as it was typed.
    pub(super) fn typed_new(form: &Form) -> Self {
        DomainForm {
            name: form.text("name").to_owned(),
            codes: all_lines(form.text("codes").to_owned()),
            ..DomainForm::new()
        }
    }

    /// One that is stored, with a part of its codes where they are many.
    pub(super) fn of(domain: DomainView, part: &CodePart, texts: &Texts) -> Self {
        DomainForm {
            codes: CodesView::of(&pairs_of(&domain.codes), part, texts),
            id: domain.data_domain_id,
            version: domain.version,
            name: domain.name,
        }
    }

    /// One that is stored, as it was typed.
    pub(super) fn typed(stored: &DomainView, form: &Form, texts: &Texts) -> Self {
        let mut codes = all_lines(form.text("codes").to_owned());
        if form.get("codes-from").is_some() {
            let part = CodePart {
                filter: form.text("codes-of").to_owned(),
                from: form.text("codes-from").parse().unwrap_or_default(),
            };
            codes.part = CodesView::of(&pairs_of(&stored.codes), &part, texts).part;
        }
        if let Some(part) = &mut codes.part {
            part.is_whole = form.get("codes-whole").is_some();
        }
        DomainForm {
            id: stored.data_domain_id.clone(),
            version: stored.version,
            name: form.text("name").to_owned(),
            codes,
        }
    }

    /// One that someone else stored meanwhile. Of many codes those are shown that are stored by now, since lines that were typed
    /// for a part of others can't be put in their place; of few, those that were typed.
    pub(super) fn overtaken(stored: &DomainView, form: &Form, texts: &Texts) -> Self {
        let part = CodePart::wanted(form);
        let codes = CodesView::of(&pairs_of(&stored.codes), &part, texts);
        let is_typed = codes.part.is_none() && CodePart::of(form).is_none();
        DomainForm {
            id: stored.data_domain_id.clone(),
            version: stored.version,
            name: form.text("name").to_owned(),
            codes: if is_typed {
                all_lines(form.text("codes").to_owned())
            } else {
                codes
            },
        }
    }
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

/// The codes, one a line.
pub(super) fn written(codes: &[DomainCode]) -> String {
    let lines = codes.iter().map(|it| line_of(&it.code, &it.description));
    lines.collect::<Vec<_>>().join("\n")
}

/// The codes of such lines.
fn read(text: &str) -> Vec<DomainCode> {
    codes_of(pairs(text))
}

/// The lines that were typed, each as it is written.
pub(super) fn typed_lines(form: &Form) -> String {
    written(&read(form.text("codes")))
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
    let changed = is_same.then(|| part.put(&all, form.text("codes")));
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
        assert_eq!(
            written(&codes),
            "DE = Germany\nFR\nIT = Italy\na=b\nES = Spain"
        );
        assert_eq!(read(&written(&codes)), codes);
        assert!(read(" \n").is_empty());
    }
}
