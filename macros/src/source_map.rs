//! Where each property of the schema was written, so that a problem is reported at its token. It knows places
//! only, no meaning.

use proc_macro2::TokenStream;
use quote::ToTokens;
use schema::{Path, Step};
use std::collections::{HashMap, HashSet};

/// Where each property of a schema was written.
#[derive(Default)]
pub(crate) struct SourceMap {
    properties: HashMap<Path, TokenStream>,
    extras: HashMap<Path, TokenStream>,
    /// Places that are reported already, where the schema holds only a stand-in.
    suppressed: HashSet<Path>,
}

impl SourceMap {
    /// Remembers where `path` was written.
    pub(crate) fn set(&mut self, path: Path, place: impl ToTokens) {
        self.properties.insert(path, place.to_token_stream());
    }

    /// Remembers where `path` was written, unless something leads there already.
    pub(crate) fn set_if_absent(&mut self, path: Path, place: impl ToTokens) {
        self.properties
            .entry(path)
            .or_insert_with(|| place.to_token_stream());
    }

    /// Remembers that `path` stands in an `extra`.
    pub(crate) fn set_extra(&mut self, path: Path, place: &TokenStream) {
        self.extras.insert(path, place.clone());
    }

    /// Keeps the check from reporting this place again.
    pub(crate) fn suppress(&mut self, path: Path) {
        self.suppressed.insert(path);
    }

    /// Takes over places that are relative to `base`.
    pub(crate) fn adopt(&mut self, base: &Path, other: SourceMap) {
        let properties = other.properties.into_iter();
        self.properties
            .extend(properties.map(|(path, place)| (join(base, &path), place)));
        let extras = other.extras.into_iter();
        self.extras
            .extend(extras.map(|(path, place)| (join(base, &path), place)));
        let suppressed = other.suppressed.into_iter();
        self.suppressed
            .extend(suppressed.map(|path| join(base, &path)));
    }

    /// Whether `path` itself was written.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.properties.contains_key(path)
    }

    /// The deepest place that leads to `path`.
    pub(crate) fn find(&self, path: &Path) -> Option<&TokenStream> {
        ancestors(path).find_map(|path| self.properties.get(&path))
    }

    /// Whether any `extra` was written.
    pub(crate) fn has_extras(&self) -> bool {
        !self.extras.is_empty()
    }

    /// The tokens at `path`, or the ones that lead there.
    pub(crate) fn place(&self, path: &Path) -> TokenStream {
        self.find(path).cloned().unwrap_or_default()
    }

    /// The `extra` that holds `path`.
    pub(crate) fn find_extra(&self, path: &Path) -> Option<&TokenStream> {
        ancestors(path).find_map(|path| self.extras.get(&path))
    }

    /// Whether a problem at `path` was reported already.
    pub(crate) fn is_suppressed(&self, path: &Path) -> bool {
        let steps = path.steps();
        if self.suppressed.contains(path) {
            return true;
        }
        let [Step::Key(_), Step::Index(index), rest @ ..] = steps else {
            return false;
        };
        // without its type no setting of a field can be judged
        let independent = matches!(rest, [Step::Key(key)]
            if ["name", "fieldId", "isPrimaryKey", "isMultivalue"].contains(&key.as_str()));
        let untyped = Path::field(*index).key("dataType");
        self.suppressed.contains(&untyped) && !independent
    }
}

fn join(base: &Path, tail: &Path) -> Path {
    tail.steps()
        .iter()
        .fold(base.clone(), |path, step| match step {
            Step::Key(key) => path.key(key),
            Step::Index(index) => path.index(*index),
        })
}

/// `path` and every place above it, the deepest first.
fn ancestors(path: &Path) -> impl Iterator<Item = Path> {
    let steps = path.steps();
    (0..=steps.len()).rev().map(|length| {
        steps[..length]
            .iter()
            .fold(Path::root(), |path, step| match step {
                Step::Key(key) => path.key(key),
                Step::Index(index) => path.index(*index),
            })
    })
}
