//! Descriptions: given by an attribute, or the first paragraph of the docs. It knows no Markdown.

use super::described::Described;
use schema::Extra;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The description of what has these docs: what the attribute says, be it that there is none, else the docs' first
/// paragraph; none where `extra` holds one.
pub(crate) fn description(
    setting: Described,
    attrs: &[Attribute],
    extra: &Extra,
) -> Option<String> {
    let is_extra = || extra.iter().any(|(key, _)| key == "description");
    match setting {
        Described::ByDocs => first_paragraph(attrs).filter(|_| !is_extra()),
        said => said.text(),
    }
}

/// The first paragraph of the docs, its lines joined by one space. Docs that begin with an empty
/// line describe nothing.
fn first_paragraph(attrs: &[Attribute]) -> Option<String> {
    let mut docs = String::new();
    for attr in attrs {
        if let Meta::NameValue(pair) = &attr.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = &pair.value
        {
            let text = text.value();
            // in a block comment the first line often holds nothing but its opening
            docs.push_str(text.strip_prefix('\n').unwrap_or(&text));
            docs.push('\n');
        }
    }
    let lines: Vec<&str> = docs
        .lines()
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}
