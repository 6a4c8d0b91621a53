//! One difference between two schemas, and what it means to each audience. It is data; whoever shows it finds the words.

use super::codes::CodeChanges;
use super::reason::Reason;

/// One difference between two schemas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The field; none where the schema itself differs.
    pub field: Option<ChangedField>,
    /// What became of it.
    pub kind: ChangeKind,
    /// The property of the document that differs; `fields` where a field is there on one side only, or the order
    /// differs, `active` where one is there on both and active on one.
    pub property: String,
    /// The property's JSON text in the old schema; none where it is absent.
    pub from: Option<String>,
    /// The property's JSON text in the new schema; none where it is absent.
    pub to: Option<String>,
    /// Of a `staticPicklist`: which codes differ.
    pub codes: Option<CodeChanges>,
    /// What it means, and to whom.
    pub verdicts: Verdicts,
}

/// The field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedField {
    /// Its id; the new one, where both have it and the ids differ.
    pub id: String,
    /// Its name; the new one, if there is one.
    pub name: String,
    /// The name that it had, if that was another.
    pub old_name: Option<String>,
    /// Its place among the old schema's fields.
    pub old_index: Option<usize>,
    /// Its place among the new schema's fields.
    pub new_index: Option<usize>,
}

/// What became of a field, or of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// Records have the field now.
    Added,
    /// Records don't have the field any more; its values are kept hidden.
    Removed,
    /// Its values stand under another name.
    Renamed,
    /// The fields that both have stand in another order.
    Reordered,
    /// A property differs.
    Changed,
}

impl ChangeKind {
    /// The word for it: stable, for programs.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Renamed => "renamed",
            ChangeKind::Reordered => "reordered",
            ChangeKind::Changed => "changed",
        }
    }
}

/// What a difference means to each audience; a list that is empty means: nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Which rules a stored value may break that broke none before.
    pub data: Vec<Reason>,
    /// What it is to a crate that publishes the generated types.
    pub api: Semver,
    /// What of it those meet who read records as the old schema says.
    pub readers: Vec<Reason>,
    /// What of it those meet who write records as the old schema says.
    pub writers: Vec<Reason>,
}

impl Verdicts {
    /// Of a difference that nobody meets but who generates types.
    pub(super) fn api(api: Semver) -> Self {
        Verdicts {
            api,
            ..Verdicts::default()
        }
    }

    /// Takes in what another difference means.
    pub fn add(&mut self, other: &Verdicts) {
        let lists = [
            (&mut self.data, &other.data),
            (&mut self.readers, &other.readers),
            (&mut self.writers, &other.writers),
        ];
        for (own, other) in lists {
            own.extend(other);
            own.sort_unstable();
            own.dedup();
        }
        self.api = self.api.max(other.api);
    }
}

/// The class of a change of generated types, as semantic versioning has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Semver {
    /// The generated code is the same.
    #[default]
    None,
    /// Docs and attributes differ; what compiled compiles.
    Patch,
    /// There are more types; what compiled compiles.
    Minor,
    /// What compiled may not compile any more.
    Major,
}

impl Semver {
    /// The word for it: stable, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Semver::None => "none",
            Semver::Patch => "patch",
            Semver::Minor => "minor",
            Semver::Major => "major",
        }
    }
}
