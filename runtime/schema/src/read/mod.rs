//! The one reader of schema-detail documents: JSON text to a checked [`Schema`], with every
//! contradiction at its path and byte offset. Properties it does not know are kept.

mod blame;
mod document;
mod object;
mod reader;

use crate::check::{Contradiction, Origin, Path, Problem, Problems, Severity, check};
use crate::json::{Node, Value, parse};
use crate::model::Schema;
use blame::{Blame, offset_of};
use reader::Reader;

/// A schema that passed the check, and what it was warned of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The schema.
    pub schema: Schema,
    /// What looks wrong but does no harm.
    pub warnings: Vec<Problem>,
    /// Whether it has no `schemaId`, so that one was made of its name. Only one that is created here may.
    pub has_made_id: bool,
    /// The indexes of fields without a `fieldId`: theirs were made of the names of schema and field.
    pub made_field_ids: Vec<usize>,
}

/// The indexes of fields without a `fieldId`.
fn without_id(root: &Node<'_>) -> Vec<usize> {
    let Some(Value::Array(fields)) = root.get("fields").map(|node| &node.value) else {
        return Vec::new();
    };
    let fields = fields.iter().enumerate();
    let without = fields.filter(|(_, field)| field.get("fieldId").is_none());
    without.map(|(index, _)| index).collect()
}

impl Path {
    /// Where the place stands in a document, as a byte offset: that of the deepest part of the path that is there. `None`
    /// when the text is no JSON.
    pub fn offset_in(&self, document: &str) -> Option<usize> {
        Some(offset_of(&parse(document).ok()?, self))
    }

    /// [`Path::offset_in`] of several places, in their order; the text is parsed once.
    pub fn offsets_in<'p>(
        paths: impl IntoIterator<Item = &'p Path>,
        document: &str,
    ) -> Vec<Option<usize>> {
        let root = parse(document).ok();
        let offset = |path: &'p Path| root.as_ref().map(|root| offset_of(root, path));
        paths.into_iter().map(offset).collect()
    }
}

impl Schema {
    /// Reads a document that was checked before, such as one that a derive wrote down; `None` when it
    /// is no schema document at all.
    pub fn read_unchecked(text: &str) -> Option<Schema> {
        let root = parse(text).ok()?;
        let mut reader = Reader::new(text, Origin::Created);
        reader.schema(&root).filter(|_| reader.problems.is_empty())
    }

    /// Reads a document for types and tools, whether it was fetched or is yet to be created: ids that are missing are
    /// made of names.
    ///
    /// # Errors
    /// Every contradiction of the document at once, of the reading that finds fewer.
    ///
    /// ```
    /// let text = r#"{"name": "City", "fields": [{"name": "Size", "dataType": "integer"}]}"#;
    /// let document = schema::Schema::read_any(text)?;
    /// assert!(document.has_made_id);
    /// assert_eq!(document.schema.id, schema::id_of(&["City"]));
    /// # Ok::<(), schema::Problems>(())
    /// ```
    pub fn read_any(text: &str) -> Result<Document, Problems> {
        Schema::read(text, Origin::Elsewhere).or_else(|fetched| {
            Schema::read(text, Origin::Created).map_err(|created| {
                if created.items.len() < fetched.items.len() {
                    created
                } else {
                    fetched
                }
            })
        })
    }

    /// Reads a schema-detail document and checks it.
    ///
    /// # Errors
    /// Every contradiction of the document at once.
    pub fn read(text: &str, origin: Origin) -> Result<Document, Problems> {
        let root = parse(text).map_err(|error| Problems {
            items: vec![Problem {
                offset: Some(error.offset),
                ..Problem::found(
                    Severity::Error,
                    Path::root(),
                    Contradiction::NotJson,
                    &[&error],
                )
            }],
        })?;
        let mut reader = Reader::new(text, origin);
        let schema = reader.schema(&root);
        let Reader { mut problems, .. } = reader;
        if let Some(schema) = &schema {
            let blame = Blame::of(&problems);
            let found = check(schema, origin).into_iter();
            problems.extend(found.filter(|problem| !blame.covers(&problem.path)));
        }
        for problem in &mut problems {
            problem.offset = problem
                .offset
                .or_else(|| Some(offset_of(&root, &problem.path)));
        }
        problems.sort_by_key(|problem| problem.offset);
        match schema {
            Some(schema) if problems.iter().all(|p| p.severity == Severity::Warning) => {
                Ok(Document {
                    schema,
                    warnings: problems,
                    has_made_id: root.get("schemaId").is_none(),
                    made_field_ids: without_id(&root),
                })
            }
            _ => Err(Problems { items: problems }),
        }
    }
}
