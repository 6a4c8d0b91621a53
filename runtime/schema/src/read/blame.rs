//! Places of a document: which of them were reported already, and where in the text each stands.

use crate::check::{Path, Problem, Step};
use crate::json::{Node, Value};
use std::collections::HashSet;

/// The places that the reading already reported, where the model holds only a stand-in: the check
/// must not blame them twice.
pub(super) struct Blame(HashSet<Path>);

impl Blame {
    pub(super) fn of(problems: &[Problem]) -> Self {
        Blame(
            problems
                .iter()
                .map(|problem| problem.path.clone())
                .collect(),
        )
    }

    pub(super) fn covers(&self, path: &Path) -> bool {
        let steps = path.steps();
        let [Step::Key(_), Step::Index(index), rest @ ..] = steps else {
            // what is missing is told of the object that lacks it
            return self.0.contains(path) || self.0.contains(&Path::root());
        };
        let field = Path::field(*index);
        // without its type no setting of a field can be judged
        let untyped = self.0.contains(&field.clone().key("dataType"));
        let whole = |rest: &[Step]| {
            rest.is_empty()
                && self
                    .0
                    .iter()
                    .any(|told| told.steps().starts_with(field.steps()))
        };
        let independent = matches!(rest, [Step::Key(key)]
            if ["name", "fieldId", "isPrimaryKey", "isMultivalue"].contains(&key.as_str()));
        (untyped && !independent)
            || whole(rest)
            || self.0.iter().any(|told| steps.starts_with(told.steps()))
    }
}

/// The byte offset of the deepest place of `path` that the document has.
pub(super) fn offset_of(root: &Node<'_>, path: &Path) -> usize {
    let mut node = root;
    for step in path.steps() {
        let next = match (step, &node.value) {
            (Step::Key(key), Value::Object(members)) => members
                .iter()
                .rfind(|member| member.key == *key)
                .map(|member| &member.value),
            (Step::Index(index), Value::Array(items)) => items.get(*index),
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node.start
}
