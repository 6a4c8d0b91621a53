//! Files have 400 lines at most, their tests with them, functions under 70; each file opens by saying what it
//! is for.

use super::sources::rust_files;
use syn::spanned::Spanned;
use syn::visit::Visit;

const FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 70;
/// A table of cases may be longer than anything that decides.
const TEST_LINES_MAX: usize = 100;

#[test]
fn no_file_is_longer_than_a_reader_can_hold() {
    let long: Vec<String> = rust_files()
        .iter()
        .map(|file| (file.text.lines().count(), &file.path))
        .filter(|(lines, _)| *lines > FILE_LINES_MAX)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "cut these:\n{}", long.join("\n"));
}

#[test]
fn every_file_opens_by_saying_what_it_is_for() {
    let silent: Vec<String> = rust_files()
        .into_iter()
        .filter(|file| !file.text.starts_with("//!") && !file.text.starts_with("#!"))
        .map(|file| file.path)
        .collect();
    assert!(
        silent.is_empty(),
        "these need a first line `//! …`:\n{}",
        silent.join("\n")
    );
}

#[test]
fn no_file_is_named_after_nothing() {
    let vague = [
        "util", "utils", "helper", "helpers", "manager", "common", "misc",
    ];
    let named: Vec<String> = rust_files()
        .into_iter()
        .map(|file| file.path)
        .filter(|path| {
            let stem = path
                .rsplit('/')
                .next()
                .unwrap_or(path)
                .trim_end_matches(".rs");
            vague.contains(&stem)
        })
        .collect();
    assert!(
        named.is_empty(),
        "name these after what they hold:\n{}",
        named.join("\n")
    );
}

struct Functions<'a> {
    path: &'a str,
    long: Vec<String>,
}

impl Functions<'_> {
    fn measure(&mut self, name: &syn::Ident, item: &impl Spanned) {
        let span = item.span();
        let lines = span.end().line - span.start().line + 1;
        let in_tests = self.path.contains("tests/") || self.path.contains("/tests.rs");
        let max = if in_tests {
            TEST_LINES_MAX
        } else {
            FUNCTION_LINES_MAX
        };
        if lines > max {
            self.long.push(format!(
                "{}:{}: {name} has {lines} lines",
                self.path,
                span.start().line
            ));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig.ident, &item.block);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig.ident, &item.block);
        syn::visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.measure(&item.sig.ident, block);
        }
        syn::visit::visit_trait_item_fn(self, item);
    }
}

#[test]
fn no_function_is_longer_than_a_screen() {
    let mut long = Vec::new();
    for file in rust_files() {
        let parsed =
            syn::parse_file(&file.text).unwrap_or_else(|error| panic!("{}: {error}", file.path));
        let mut functions = Functions {
            path: &file.path,
            long: Vec::new(),
        };
        functions.visit_file(&parsed);
        long.append(&mut functions.long);
    }
    assert!(long.is_empty(), "cut these:\n{}", long.join("\n"));
}
