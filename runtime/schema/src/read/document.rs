//! The properties of a schema-detail document: which object has which, and what each becomes.

use super::object::ObjectReader;
use super::reader::Reader;
use crate::check::{Contradiction, Origin, Path};
use crate::data_type::DataType;
use crate::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use crate::json::{Node, Value};
use crate::model::{Classifier, Field, PicklistEntry, PicklistType, Provenance, Schema, id_of};
use std::collections::{HashMap, HashSet};

/// The ids of a document's fields: those that it names, and those that are made, so that no two are the same.
struct FieldIds<'n> {
    schema: &'n str,
    taken: HashSet<String>,
    /// How many ids were made of each name. Duplicate names are refused once all fields are read.
    made: HashMap<String, usize>,
}

impl<'n> FieldIds<'n> {
    fn of(schema: &'n str, root: &Node<'_>) -> Self {
        let fields = root.get("fields").map(|node| &node.value);
        let fields = match fields {
            Some(Value::Array(fields)) => fields.as_slice(),
            _ => &[],
        };
        let named = fields.iter().filter_map(|field| field.get("fieldId"));
        let named = named.filter_map(|node| match &node.value {
            Value::String(id) => Some(id.clone().into_owned()),
            _ => None,
        });
        FieldIds {
            schema,
            taken: named.collect(),
            made: HashMap::new(),
        }
    }

    /// The id of a field that the document gives none: of the names, and of more where that one is taken.
    fn make(&mut self, name: &str) -> String {
        let same = self.made.entry(name.to_owned()).or_default();
        *same += 1;
        let number = same.to_string();
        let mut names = vec![self.schema, name];
        if *same > 1 {
            names.push(&number);
        }
        loop {
            let id = id_of(&names);
            if self.taken.insert(id.clone()) {
                return id;
            }
            names.push("again");
        }
    }
}

impl<'t> Reader<'t> {
    /// The whole document; `None` where the places of its fields would not be told by their indexes.
    pub(super) fn schema(&mut self, root: &Node<'t>) -> Option<Schema> {
        let mut object = self.object(root, Path::root())?;
        let fetched = self.origin == Origin::Elsewhere;
        let name = self.required_text(&mut object, "name").unwrap_or_default();
        let id = if fetched || object.has("schemaId") {
            self.required_text(&mut object, "schemaId")
                .unwrap_or_default()
        } else {
            id_of(&[&name])
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
                let mut ids = FieldIds::of(&name, root);
                self.list(&mut object, "fields", |reader, node, path| {
                    reader.field(node, path, &mut ids)
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

    fn version(&mut self, object: &mut ObjectReader<'_, 't>) -> Option<i64> {
        let node = object.setting("version")?;
        if let Value::Number(token) = node.value
            && let Ok(version) = token.parse::<i64>()
            && version.to_string() == *token
        {
            return Some(version);
        }
        let path = object.path.clone().key("version");
        self.error(path, Contradiction::VersionNotWhole, &[]);
        None
    }

    fn provenance(&mut self, object: &mut ObjectReader<'_, 't>) -> Provenance {
        Provenance {
            created_by: self.text(object, "createdBy"),
            updated_by: self.text(object, "updatedBy"),
            created_date: self.text(object, "createdDate"),
            updated_date: self.text(object, "updatedDate"),
        }
    }

    fn field(&mut self, node: &Node<'t>, path: Path, ids: &mut FieldIds<'_>) -> Option<Field> {
        let mut object = self.object(node, path)?;
        let object = &mut object;
        let fetched = self.origin == Origin::Elsewhere;
        let name = self.required_text(object, "name");
        let id = if fetched || object.has("fieldId") {
            self.required_text(object, "fieldId")
        } else {
            Some(ids.make(name.as_deref().unwrap_or_default()))
        };
        self.require_filled(object, "dataType");
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
        field.active = self.required_flag(object, "active", true);
        field.primary_key = self.required_flag(object, "isPrimaryKey", false);
        field.sort_key = self.required_flag(object, "isSortKey", false);
        field.required = self.required_flag(object, "isRequired", false);
        field.multivalue = self.flag(object, "isMultivalue");
        field.pii = self.flag(object, "isPII");
        field.searched = self.flag(object, "isSearched");
        self.settings(object, &mut field);
        field.provenance = self.provenance(object);
        field.extra = object.rest(self.text);
        Some(field)
    }

    fn settings(&mut self, object: &mut ObjectReader<'_, 't>, field: &mut Field) {
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
        self.error(path, Contradiction::RuleNotString, &[&node.kind()]);
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
}
