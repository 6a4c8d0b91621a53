//! The modules of one crate as their files declare them, and the paths that each file names. What is
//! compiled for tests alone is left out. It reads, and resolves nothing.

use crate::sources::root;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// The segments of a path, as they are written.
pub(super) type Segments = Vec<String>;

/// A path that a file names.
pub(super) struct Mention {
    pub(super) path: Segments,
    pub(super) line: usize,
    /// Whether it only hands on what it names.
    pub(super) is_reexport: bool,
}

/// A module: a file, or a part of one in braces.
pub(super) struct Module {
    pub(super) parent: Option<usize>,
    /// Its file's place in [`Tree::files`].
    pub(super) file: usize,
    pub(super) children: HashMap<String, usize>,
    pub(super) items: HashSet<String>,
    /// What `use` brings in: the name, and the paths it may stand for.
    pub(super) imports: HashMap<String, Vec<Segments>>,
    pub(super) globs: Vec<Segments>,
    pub(super) mentions: Vec<Mention>,
}

/// A file, and the module that it is.
pub(super) struct File {
    /// From the workspace's root.
    pub(super) path: String,
    pub(super) module: usize,
}

/// All modules of a crate; the first is its root.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) modules: Vec<Module>,
    pub(super) files: Vec<File>,
}

impl Tree {
    /// The crate whose root is this file.
    pub(super) fn read(path: &Path) -> Self {
        let mut tree = Tree::default();
        let folder = path.parent().unwrap_or(path).to_owned();
        tree.read_file(path, &folder, None);
        tree
    }

    /// Reads a file whose children stand in `folder`.
    fn read_file(&mut self, path: &Path, folder: &Path, parent: Option<usize>) -> usize {
        let shown = straight(path).to_str().expect("a path in UTF-8").to_owned();
        let text = fs::read_to_string(root().join(path))
            .unwrap_or_else(|error| panic!("{shown}: {error}"));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{shown}: {error}"));
        self.files.push(File {
            path: shown,
            module: self.modules.len(),
        });
        self.add(self.files.len() - 1, folder, parent, &parsed.items)
    }

    fn add(&mut self, file: usize, folder: &Path, parent: Option<usize>, items: &[Item]) -> usize {
        let id = self.modules.len();
        self.modules.push(Module {
            parent,
            file,
            children: HashMap::new(),
            items: HashSet::new(),
            imports: HashMap::new(),
            globs: Vec::new(),
            mentions: Vec::new(),
        });
        for item in items.iter().filter(|item| !is_for_tests(attributes(item))) {
            if let Item::Mod(child) = item {
                if let Some(read) = self.read_child(id, folder, child) {
                    let name = child.ident.to_string();
                    self.modules[id].children.insert(name, read);
                }
                continue;
            }
            let module = &mut self.modules[id];
            module.items.extend(name_of(item));
            Reader { module }.visit_item(item);
        }
        id
    }

    fn read_child(&mut self, parent: usize, folder: &Path, child: &syn::ItemMod) -> Option<usize> {
        let name = child.ident.to_string();
        let file = self.modules[parent].file;
        if let Some((_, items)) = &child.content {
            return Some(self.add(file, &folder.join(name), Some(parent), items));
        }
        let (path, folder) = if let Some(given) = path_attribute(&child.attrs) {
            let beside = PathBuf::from(&self.files[file].path);
            let path = beside.parent().unwrap_or(&beside).join(given);
            let folder = path.parent().unwrap_or(&path).to_owned();
            (path, folder)
        } else {
            let folder = folder.join(&name);
            let flat = folder.with_extension("rs");
            let is_flat = root().join(&flat).exists();
            let path = if is_flat { flat } else { folder.join("mod.rs") };
            (path, folder)
        };
        // a module of a build script's making is no hand-written file
        let is_there = root().join(&path).exists();
        is_there.then(|| self.read_file(&path, &folder, Some(parent)))
    }
}

/// A path without the folders that `..` leaves again.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            straight.pop();
        } else {
            straight.push(part);
        }
    }
    straight
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name that an item has in its module.
fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let conditions = attribute
            .path()
            .is_ident("cfg")
            .then(|| attribute.meta.require_list());
        // `not(test)` is no condition for tests; nobody here writes it deeper than at the top
        conditions.is_some_and(|list| {
            list.is_ok_and(|list| {
                let text = list.tokens.to_string();
                text == "test" || text.starts_with("all (test") || text.starts_with("all(test")
            })
        })
    })
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    let given = attributes
        .iter()
        .find(|attribute| attribute.path().is_ident("path"))?;
    let syn::Expr::Lit(literal) = &given.meta.require_name_value().ok()?.value else {
        return None;
    };
    match &literal.lit {
        syn::Lit::Str(text) => Some(text.value()),
        _ => None,
    }
}

/// Collects what a module's items name.
struct Reader<'m> {
    module: &'m mut Module,
}

impl Reader<'_> {
    fn mention(&mut self, path: Segments, line: usize, is_reexport: bool) {
        self.module.mentions.push(Mention {
            path,
            line,
            is_reexport,
        });
    }

    fn import(&mut self, tree: &UseTree, before: &[String], is_reexport: bool) {
        let mut path = before.to_vec();
        let line = tree.span().start().line;
        match tree {
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                self.import(&tree.tree, &path, is_reexport);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, is_reexport);
                }
            }
            UseTree::Glob(_) => self.module.globs.push(path),
            UseTree::Name(name) => {
                if name.ident != "self" {
                    path.push(name.ident.to_string());
                }
                let name = path.last().cloned().unwrap_or_default();
                self.bring(name, path, line, is_reexport);
            }
            UseTree::Rename(rename) => {
                if rename.ident != "self" {
                    path.push(rename.ident.to_string());
                }
                self.bring(rename.rename.to_string(), path, line, is_reexport);
            }
        }
    }

    fn bring(&mut self, name: String, path: Segments, line: usize, is_reexport: bool) {
        self.mention(path.clone(), line, is_reexport);
        self.module.imports.entry(name).or_default().push(path);
    }

    /// Paths in what only a macro reads: names with `::` between them, from `crate`, `super` or anywhere.
    fn scan(&mut self, tokens: TokenStream) {
        let mut path = Segments::new();
        let mut line = 0;
        let mut colons = 0;
        for token in tokens {
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(ident) => {
                    if colons != 2 || path.is_empty() {
                        self.scanned(std::mem::take(&mut path), line);
                        line = ident.span().start().line;
                    }
                    path.push(ident.to_string());
                }
                TokenTree::Group(group) => {
                    self.scanned(std::mem::take(&mut path), line);
                    self.scan(group.stream());
                }
                TokenTree::Literal(_) | TokenTree::Punct(_) => {
                    self.scanned(std::mem::take(&mut path), line);
                }
            }
            colons = 0;
        }
        self.scanned(path, line);
    }

    fn scanned(&mut self, path: Segments, line: usize) {
        // a single word in a macro is as likely a variable
        let is_type = |name: &String| name.starts_with(char::is_uppercase);
        if path.len() > 1 || path.first().is_some_and(is_type) {
            self.mention(path, line, false);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_reexport = !matches!(item.vis, Visibility::Inherited);
        if item.leading_colon.is_none() {
            self.import(&item.tree, &[], is_reexport);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let segments = path.segments.iter();
            let segments = segments.map(|segment| segment.ident.to_string()).collect();
            self.mention(segments, path.span().start().line, false);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        visit::visit_macro(self, called);
        self.scan(called.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.scan(list.tokens.clone());
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    // `pub(in crate::room)` says who may see, and sees nothing itself
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}
