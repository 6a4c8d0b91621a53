//! What a comparison is told from: a schema of both sides with its differences, or one that a side does not have.

use super::pairing::Pair;
use super::records::Counted;
use schema::Schema;
use schema::diff::{Diff, Reason, Semver, Verdicts};

/// A schema, compared.
pub(super) struct Compared<'p> {
    /// What each side was read from.
    pub(super) sources: [Option<&'p str>; 2],
    pub(super) schemas: [Option<&'p Schema>; 2],
    /// None where a side does not have the schema.
    pub(super) diff: Option<Diff<'p>>,
    /// The rows of `--records`.
    pub(super) counted: Option<Counted>,
    /// What all of it means.
    pub(super) verdicts: Verdicts,
}

impl<'p> Compared<'p> {
    /// A schema that only one side has.
    pub(super) fn of_one(pair: &'p Pair) -> Self {
        let sides = [&pair.old, &pair.new];
        let verdicts = if pair.new.is_some() {
            Verdicts {
                api: Semver::Minor,
                ..Verdicts::default()
            }
        } else {
            Verdicts {
                api: Semver::Major,
                readers: vec![Reason::Gone],
                writers: vec![Reason::Gone],
                ..Verdicts::default()
            }
        };
        Compared {
            sources: sides.map(|side| side.as_ref().map(|(source, _)| source.as_str())),
            schemas: sides.map(|side| side.as_ref().map(|(_, schema)| schema)),
            diff: None,
            counted: None,
            verdicts,
        }
    }

    /// A schema of both sides.
    pub(super) fn of_both(
        diff: Diff<'p>,
        sources: [&'p String; 2],
        counted: Option<Counted>,
    ) -> Self {
        Compared {
            sources: sources.map(|source| Some(source.as_str())),
            schemas: [Some(diff.old), Some(diff.new)],
            verdicts: diff.verdicts(),
            diff: Some(diff),
            counted,
        }
    }

    /// Whether the sides differ.
    pub(super) fn differs(&self) -> bool {
        self.diff.as_ref().is_none_or(|diff| !diff.is_empty())
    }

    /// Whether stored values become faulty: by the rows that were counted, else by what the schemas tell.
    fn concerns_data(&self) -> bool {
        match &self.counted {
            Some(counted) => counted.faulty > 0,
            None => !self.verdicts.data.is_empty(),
        }
    }

    /// The schema's name; the new one, if there is one.
    pub(super) fn name(&self) -> &str {
        let now = self.schemas[1].or(self.schemas[0]);
        now.map_or("", |schema| &schema.name)
    }

    /// `version 3`, or `version 3 → 4`; empty where there is none.
    pub(super) fn versions(&self) -> String {
        let [old, new] = self.schemas.map(|schema| schema.and_then(|it| it.version));
        match (old, new) {
            (Some(old), Some(new)) if old != new => format!("version {old} → {new}"),
            (_, Some(version)) | (Some(version), None) => format!("version {version}"),
            (None, None) => String::new(),
        }
    }
}

/// What came of all schemas.
pub(super) struct Outcome {
    pub(super) differs: bool,
    pub(super) data: bool,
    pub(super) verdicts: Verdicts,
}

impl Outcome {
    pub(super) fn of(all: &[Compared<'_>]) -> Self {
        let mut verdicts = Verdicts::default();
        for one in all {
            verdicts.add(&one.verdicts);
        }
        Outcome {
            differs: all.iter().any(Compared::differs),
            data: all.iter().any(Compared::concerns_data),
            verdicts,
        }
    }
}
