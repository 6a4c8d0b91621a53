//! The one reader of schema-detail documents: JSON text to a checked [`Schema`], with every
//! contradiction at its path and byte offset. Properties it does not know are kept.

use crate::check::{Origin, Path, Problem, Problems, Severity, Step, check};
use crate::data_type::DataType;
use crate::json::{Member, Node, Value, compact, parse};
use crate::model::{
    Bound, Classifier, Extra, Field, PicklistEntry, PicklistType, Provenance, Schema,
};
use std::collections::HashSet;

mod object;
use object::Object;

/// A schema that passed the check, and what it was warned of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The schema.
    pub schema: Schema,
    /// What looks wrong but does no harm.
    pub warnings: Vec<Problem>,
}

impl Schema {
    /// Reads a document that was checked before, such as one that a derive wrote down; `None` when it
    /// is no schema document at all.
    pub fn read_unchecked(text: &str) -> Option<Schema> {
        let root = parse(text).ok()?;
        let mut reader = Reader {
            text,
            origin: Origin::Created,
            problems: Vec::new(),
        };
        reader.schema(&root).filter(|_| reader.problems.is_empty())
    }

    /// Reads a schema-detail document and checks it.
    ///
    /// # Errors
    /// Every contradiction of the document at once.
    pub fn read(text: &str, origin: Origin) -> Result<Document, Problems> {
        let root = parse(text).map_err(|error| Problems {
            items: vec![Problem {
                offset: Some(error.offset),
                ..Problem::new(
                    Severity::Error,
                    Path::root(),
                    format!("the document is not JSON: {error}"),
                    "mend the text at that place",
                )
            }],
        })?;
        let mut reader = Reader {
            text,
            origin,
            problems: Vec::new(),
        };
        let schema = reader.schema(&root);
        let Reader { mut problems, .. } = reader;
        if let Some(schema) = &schema {
            let blamed = Blamed::of(&problems);
            let found = check(schema, origin).into_iter();
            problems.extend(found.filter(|problem| !blamed.covers(&problem.path)));
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
                })
            }
            _ => Err(Problems { items: problems }),
        }
    }
}

/// The places that the reading already reported, where the model holds only a stand-in: the check
/// must not blame them twice.
struct Blamed(HashSet<Path>);

impl Blamed {
    fn of(problems: &[Problem]) -> Self {
        Blamed(
            problems
                .iter()
                .map(|problem| problem.path.clone())
                .collect(),
        )
    }

    fn covers(&self, path: &Path) -> bool {
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
fn offset_of(root: &Node<'_>, path: &Path) -> usize {
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

struct Reader<'t> {
    text: &'t str,
    origin: Origin,
    problems: Vec<Problem>,
}

impl<'t> Reader<'t> {
    fn error(&mut self, path: Path, message: impl Into<String>, help: impl Into<String>) {
        self.problems
            .push(Problem::new(Severity::Error, path, message, help));
    }

    /// Opens an object, reporting duplicate keys; `None` (and an error) when it is none.
    fn object<'n>(&mut self, node: &'n Node<'t>, path: Path) -> Option<Object<'n, 't>> {
        let Value::Object(members) = &node.value else {
            let message = format!("this is {}, not an object", node.kind());
            self.error(path, message, "write a JSON object here");
            return None;
        };
        let mut seen = HashSet::new();
        for Member { key, key_start, .. } in members {
            if !seen.insert(key) {
                let message = format!("the property `{key}` stands here twice");
                self.error(path.clone().key(key), message, "keep one of the two");
                if let Some(problem) = self.problems.last_mut() {
                    problem.offset = Some(*key_start);
                }
            }
        }
        Some(Object::new(members, path))
    }

    fn list<'n, V>(
        &mut self,
        object: &mut Object<'n, 't>,
        key: &'static str,
        each: impl Fn(&mut Self, &'n Node<'t>, Path) -> Option<V>,
    ) -> Option<Vec<V>> {
        let node = object.setting(key)?;
        let path = object.path.clone().key(key);
        let Value::Array(items) = &node.value else {
            let message = format!("`{key}` is {}, not an array", node.kind());
            self.error(path, message, "write an array");
            return None;
        };
        let read = |(index, item)| each(self, item, path.clone().index(index));
        Some(items.iter().enumerate().filter_map(read).collect())
    }

    fn schema(&mut self, root: &Node<'t>) -> Option<Schema> {
        let mut object = self.object(root, Path::root())?;
        let fetched = self.origin == Origin::Elsewhere;
        let name = self.required_text(&mut object, "name").unwrap_or_default();
        let id = if fetched || object.has("schemaId") {
            self.required_text(&mut object, "schemaId")
                .unwrap_or_default()
        } else {
            crate::id_of(&[&name])
        };
        for key in ["businessAreaId", "businessAreaName", "createdDate"] {
            if fetched {
                self.require(&object, key);
            }
        }
        let schema = Schema {
            description: self.text(&mut object, "description"),
            area_id: self.text(&mut object, "businessAreaId"),
            area_name: self.text(&mut object, "businessAreaName"),
            version: self.version(&mut object),
            provenance: self.provenance(&mut object),
            fields: {
                self.require(&object, "fields");
                self.list(&mut object, "fields", |reader, node, path| {
                    reader.field(node, path, &name)
                })
                .unwrap_or_default()
            },
            id,
            name,
            extra: object.rest(self.text),
        };
        // the position of every later field is told by its index: all of them must be there
        let complete = matches!(root.get("fields").map(|node| &node.value),
            Some(Value::Array(items)) if items.len() == schema.fields.len());
        complete.then_some(schema)
    }

    fn version(&mut self, object: &mut Object<'_, 't>) -> Option<i64> {
        let node = object.setting("version")?;
        if let Value::Number(token) = node.value
            && let Ok(version) = token.parse::<i64>()
            && version.to_string() == *token
        {
            return Some(version);
        }
        let path = object.path.clone().key("version");
        self.error(
            path,
            "`version` is not an integer",
            "write a whole number without point or exponent",
        );
        None
    }

    fn provenance(&mut self, object: &mut Object<'_, 't>) -> Provenance {
        Provenance {
            created_by: self.text(object, "createdBy"),
            updated_by: self.text(object, "updatedBy"),
            created_date: self.text(object, "createdDate"),
            updated_date: self.text(object, "updatedDate"),
        }
    }

    fn field(&mut self, node: &Node<'t>, path: Path, schema_name: &str) -> Option<Field> {
        let mut object = self.object(node, path)?;
        let object = &mut object;
        let fetched = self.origin == Origin::Elsewhere;
        let name = self.required_text(object, "name");
        let id = if fetched || object.has("fieldId") {
            self.required_text(object, "fieldId")
        } else {
            Some(crate::id_of(&[
                schema_name,
                name.as_deref().unwrap_or_default(),
            ]))
        };
        self.require(object, "dataType");
        let data_type = self.named(object, "dataType", DataType::named, || {
            DataType::table().iter().map(|facts| facts.name).collect()
        });
        // unsound ids and types are told already; the stand-ins only keep the positions
        let mut field = Field::new(
            id.unwrap_or_else(|| object.path.to_string()),
            name.unwrap_or_default(),
            data_type.unwrap_or(DataType::String),
        );
        field.description = self.text(object, "description");
        field.active = self.required_flag(object, "active");
        field.primary_key = self.required_flag(object, "isPrimaryKey");
        field.sort_key = self.required_flag(object, "isSortKey");
        field.required = self.required_flag(object, "isRequired");
        field.multivalue = self.flag(object, "isMultivalue");
        field.pii = self.flag(object, "isPII");
        self.settings(object, &mut field);
        field.provenance = self.provenance(object);
        field.extra = object.rest(self.text);
        Some(field)
    }

    fn settings(&mut self, object: &mut Object<'_, 't>, field: &mut Field) {
        use crate::format::{BooleanWords, DateFormat, Separator, TimeFormat};
        field.min = self.bound(object, "min", true);
        field.max = self.bound(object, "max", true);
        field.classifiers = self.list(object, "classifiers", Self::classifier);
        field.validation_rules = self.list(object, "validationRules", Self::rule);
        field.boolean_words =
            self.named(object, "allowedBooleanValues", BooleanWords::named, || {
                BooleanWords::ALL.iter().map(|words| words.name()).collect()
            });
        field.picklist_type = self.named(object, "picklistType", PicklistType::named, || {
            vec!["static", "dynamic"]
        });
        field.static_picklist = self.list(object, "staticPicklist", Self::entry);
        field.data_domain_id = self.setting_text(object, "dataDomainId");
        field.date_format = self.named(object, "dateFormat", DateFormat::named, || {
            DateFormat::ALL.iter().map(|format| format.name()).collect()
        });
        field.date_separator = self.named(object, "dateSeparator", Separator::named, || {
            Separator::ALL
                .iter()
                .map(|separator| separator.name())
                .collect()
        });
        field.time_format = self.named(object, "timeFormat", TimeFormat::named, || {
            TimeFormat::ALL.iter().map(|format| format.name()).collect()
        });
        field.max_width = self.bound(object, "maxWidth", false);
        field.max_height = self.bound(object, "maxHeight", false);
        field.max_size = self.bound(object, "maxSize", false);
    }

    fn rule(&mut self, node: &Node<'t>, path: Path) -> Option<String> {
        if let Value::String(text) = &node.value {
            return Some(text.clone().into_owned());
        }
        self.error(
            path,
            format!("a rule name is a string, this is {}", node.kind()),
            "write a string",
        );
        None
    }

    fn classifier(&mut self, node: &Node<'t>, path: Path) -> Option<Classifier> {
        let mut object = self.object(node, path)?;
        Some(Classifier {
            tag_id: self.required_text(&mut object, "tagId")?,
            tag_name: self.required_text(&mut object, "tagName")?,
            extra: object.rest(self.text),
        })
    }

    fn entry(&mut self, node: &Node<'t>, path: Path) -> Option<PicklistEntry> {
        let mut object = self.object(node, path)?;
        Some(PicklistEntry {
            code: self.required_text(&mut object, "code")?,
            description: self.text(&mut object, "description"),
            extra: object.rest(self.text),
        })
    }

    fn bound(
        &mut self,
        object: &mut Object<'_, 't>,
        key: &'static str,
        text_too: bool,
    ) -> Option<Bound> {
        let node = object.setting(key)?;
        match &node.value {
            Value::Number(token) => Some(Bound::Number((*token).to_owned())),
            Value::String(text) if text_too => Some(Bound::Text(text.clone().into_owned())),
            _ => {
                let wanted = if text_too {
                    "a number or a string"
                } else {
                    "a number"
                };
                let message = format!("`{key}` is {}, not {wanted}", node.kind());
                self.error(
                    object.path.clone().key(key),
                    message,
                    format!("write {wanted}"),
                );
                None
            }
        }
    }
}
