//! Tokens to formatted text. It never changes what is said, only how it is laid out.

use crate::emit::Code;
use crate::plan::Plan;
use crate::{File, emit};
use proc_macro2::TokenStream;

/// The files of a plan, by path.
pub(crate) fn render(plan: Plan<'_>) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let index = emit::index(&plan.modules);
    let mut one = format!("{}\n", index.header);
    let mut notes = Vec::new();
    let mut warnings = Vec::new();
    for module in plan.modules {
        let text = text(emit::module(&module), plan.is_formatted);
        if plan.one_file.is_some() {
            one.push_str(&nested(&emit::opening(&module), &text));
            notes.extend(module.notes);
            warnings.extend(module.warnings);
        } else {
            let path = format!("{}.rs", module.name);
            files.push(File {
                path,
                text,
                notes: module.notes,
                warnings: module.warnings,
            });
        }
    }
    let (path, text) = match plan.one_file {
        Some(name) => (format!("{name}.rs"), one),
        None => ("mod.rs".to_owned(), text(index, plan.is_formatted)),
    };
    files.push(File {
        path,
        text,
        notes,
        warnings,
    });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The header, then the items with a blank line between them.
fn text(code: Code, is_formatted: bool) -> String {
    let mut text = code.header;
    text.push('\n');
    for item in code.items.into_iter().filter(|item| !item.is_empty()) {
        text.push('\n');
        if is_formatted {
            text.push_str(&format(item));
        } else {
            text.extend([&item.to_string(), "\n"]);
        }
    }
    text
}

fn format(item: TokenStream) -> String {
    let file = syn::parse2(item);
    // INVARIANT: emit makes whole items; every text of a schema is a literal or an identifier in
    // them, which the tests with hostile schemas hold it to
    prettyplease::unparse(&file.expect("emitted items parse"))
}

/// A file's text as a module behind its `opening`.
fn nested(opening: &str, text: &str) -> String {
    let mut nested = format!("\n{opening} {{\n");
    // no literal of ours holds a raw line break, so every line may be moved
    for line in text.lines() {
        if !line.is_empty() {
            nested.push_str("    ");
            nested.push_str(line);
        }
        nested.push('\n');
    }
    nested.push_str("}\n");
    nested
}
