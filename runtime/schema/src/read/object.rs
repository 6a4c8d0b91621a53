//! One object of a schema document while it is read: hands out known properties once, then the
//! rest. Which of them is an error is the reader's to say.

use crate::check::Path;
use crate::json::{Member, Node, Value, compact};
use crate::model::Extra;

pub(super) struct ObjectReader<'n, 't> {
    members: &'n [Member<'t>],
    taken: Vec<bool>,
    pub(super) path: Path,
}

impl<'n, 't> ObjectReader<'n, 't> {
    pub(super) fn new(members: &'n [Member<'t>], path: Path) -> Self {
        ObjectReader {
            members,
            taken: vec![false; members.len()],
            path,
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.members.iter().any(|member| member.key == key)
    }

    /// A member, whatever its value; it stays in the rest.
    pub(super) fn member(&self, key: &str) -> Option<&'n Node<'t>> {
        let member = self.members.iter().find(|member| member.key == key)?;
        Some(&member.value)
    }

    /// A property, whatever its value; it will not be in the rest.
    pub(super) fn take(&mut self, key: &str) -> Option<&'n Node<'t>> {
        let at = self.members.iter().position(|member| member.key == key)?;
        self.taken[at] = true;
        Some(&self.members[at].value)
    }

    /// An optional setting: `null` and `""` count as absent and stay in the rest.
    pub(super) fn setting(&mut self, key: &str) -> Option<&'n Node<'t>> {
        let at = self.members.iter().position(|member| member.key == key)?;
        let node = &self.members[at].value;
        match &node.value {
            Value::Null => None,
            Value::String(text) if text.is_empty() => None,
            _ => {
                self.taken[at] = true;
                Some(node)
            }
        }
    }

    /// What no one asked for, as it was written but for white space.
    pub(super) fn rest(&self, text: &str) -> Extra {
        let untaken = self
            .members
            .iter()
            .zip(&self.taken)
            .filter(|(_, taken)| !**taken);
        untaken
            .map(|(member, _)| {
                let mut json = String::new();
                compact(&mut json, &text[member.value.start..member.value.end]);
                (member.key.clone().into_owned(), json)
            })
            .collect()
    }
}
