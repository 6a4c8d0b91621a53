//! Code to formatted text in files. It never changes what is said, only how it is laid out.

mod page;

use crate::emit::{Code, Item, Thing};
use crate::plan::Plan;
use crate::{File, emit};
use page::Page;

/// The files of a plan, by path.
pub(crate) fn render(plan: Plan<'_>) -> Vec<File> {
    let index = emit::index(&plan.modules);
    let mut files: Vec<File> = Vec::new();
    let mut last = File {
        path: "mod.rs".to_owned(),
        text: String::new(),
        notes: Vec::new(),
        warnings: Vec::new(),
    };
    let mut texts = Vec::new();
    for module in plan.modules {
        let text = text(&emit::module(&module));
        if plan.one_file.is_some() {
            texts.push(text);
            last.notes.extend(module.notes);
            last.warnings.extend(module.warnings);
        } else {
            files.push(File {
                path: format!("{}.rs", module.name),
                text,
                notes: module.notes,
                warnings: module.warnings,
            });
        }
    }
    if let Some(name) = plan.one_file {
        last.path = format!("{name}.rs");
        last.text = nested(&index, &texts);
    } else {
        last.text = text(&index);
    }
    files.push(last);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The header, then the items with a blank line between them; what is one line stays together.
fn text(code: &Code) -> String {
    let mut page = Page::new(&code.header);
    let mut was_short = false;
    for item in &code.items {
        let is_short = matches!(item, Item::Thing(Thing { members: None, .. }));
        if !(is_short && was_short) {
            page.blank();
        }
        was_short = is_short;
        match item {
            Item::Use { path, names } => page.imports(path, names),
            Item::Thing(thing) => page.thing(thing, 0),
        }
    }
    page.finish()
}

/// The modules of `index`, each with its text inside.
fn nested(index: &Code, texts: &[String]) -> String {
    let mut page = Page::new(&index.header);
    for (item, text) in index.items.iter().zip(texts) {
        if let Item::Thing(thing) = item {
            page.blank();
            page.module(thing, text);
        }
    }
    page.finish()
}
