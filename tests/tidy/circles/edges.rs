//! Which file of a crate sees which: each path that a file names, followed through imports and re-exports
//! to the file that defines what it names.

use super::tree::{Module, Segments, Tree};

/// More steps than any chain of re-exports has; a name that stands for itself ends here.
const STEPS_MAX: usize = 24;

/// One file naming what another defines.
#[derive(Clone)]
pub(super) struct Edge {
    /// The place of the file that looks, in [`Tree::files`].
    pub(super) from: usize,
    /// The place of the file that is seen.
    pub(super) to: usize,
    /// Where, and what it names.
    pub(super) place: String,
}

/// What a path leads to.
#[derive(Clone, Copy)]
enum Target {
    Module(usize),
    /// Something that this module defines.
    Item(usize),
}

/// Every edge between two files of a crate.
pub(super) fn edges(tree: &Tree) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (id, module) in tree.modules.iter().enumerate() {
        for mention in &module.mentions {
            // a module's name alone leads to nothing yet: what is named through it is a path of its own
            let Some(Target::Item(seen)) = tree.resolve(id, &mention.path, 0) else {
                continue;
            };
            let (from, to) = (module.file, tree.modules[seen].file);
            let hands_on = mention.is_reexport && tree.is_below(seen, id);
            if from != to && !hands_on {
                let path = &tree.files[from].path;
                let named = mention.path.join("::");
                edges.push(Edge {
                    from,
                    to,
                    place: format!("{path}:{}: {named}", mention.line),
                });
            }
        }
    }
    edges
}

impl Tree {
    /// Whether a module is beneath another one.
    pub(super) fn is_below(&self, module: usize, above: usize) -> bool {
        let mut next = self.modules[module].parent;
        while let Some(parent) = next {
            if parent == above {
                return true;
            }
            next = self.modules[parent].parent;
        }
        false
    }

    /// What a path leads to from a module; `None` when it leaves the crate.
    fn resolve(&self, from: usize, path: &Segments, steps: usize) -> Option<Target> {
        if steps > STEPS_MAX {
            return None;
        }
        let mut target = None;
        for (index, name) in path.iter().enumerate() {
            let is_last = index + 1 == path.len();
            let here = match target {
                None => from,
                Some(Target::Module(module)) => module,
                // a variant, a method or an associated type: where its owner is
                Some(Target::Item(_)) => return target,
            };
            let found = match name.as_str() {
                "crate" if index == 0 => Some(Target::Module(0)),
                "self" if index == 0 => Some(Target::Module(here)),
                "super" => self.modules[here].parent.map(Target::Module),
                "Self" => None,
                name => self.look_up(here, name, is_last, steps + 1),
            };
            target = Some(found?);
        }
        target
    }

    /// What a name stands for in a module. Only the last name of a path can be a function or a constant,
    /// and only a name before it must be a module or a type.
    fn look_up(&self, module: usize, name: &str, is_last: bool, steps: usize) -> Option<Target> {
        let here = &self.modules[module];
        let child = here.children.get(name).copied().map(Target::Module);
        let item = here.items.contains(name).then_some(Target::Item(module));
        let own = if is_last {
            item.or(child)
        } else {
            child.or(item)
        };
        if let Some(Target::Item(_)) = own {
            return own;
        }
        let imported = self.imported(module, here, name, steps);
        let found = if is_last {
            imported.or(own)
        } else {
            own.or(imported)
        };
        found.or_else(|| self.through_globs(module, here, name, is_last, steps))
    }

    fn imported(&self, from: usize, here: &Module, name: &str, steps: usize) -> Option<Target> {
        let paths = here.imports.get(name)?;
        paths
            .iter()
            .find_map(|path| self.resolve(from, path, steps + 1))
    }

    fn through_globs(
        &self,
        from: usize,
        here: &Module,
        name: &str,
        is_last: bool,
        steps: usize,
    ) -> Option<Target> {
        here.globs
            .iter()
            .find_map(|path| match self.resolve(from, path, steps + 1)? {
                Target::Module(seen) if seen != from && steps < STEPS_MAX => {
                    self.look_up(seen, name, is_last, steps + 1)
                }
                _ => None,
            })
    }
}
