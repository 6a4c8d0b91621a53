//! A schema as a schema-detail document: the exact names of the interface, in its order, then what
//! the model has no place for.

use crate::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use crate::json::write_string;
use crate::model::{
    Bound, Classifier, Extra, Field, PicklistEntry, PicklistType, Provenance, Schema, id_of,
};

/// One object being written.
struct ObjectWriter<'a> {
    out: &'a mut String,
    open: bool,
}

impl<'a> ObjectWriter<'a> {
    fn new(out: &'a mut String) -> Self {
        out.push('{');
        ObjectWriter { out, open: false }
    }

    /// Starts a property and hands out the text to write its value to.
    fn key(&mut self, key: &str) -> &mut String {
        if self.open {
            self.out.push(',');
        }
        self.open = true;
        write_string(self.out, key);
        self.out.push(':');
        self.out
    }

    fn raw(&mut self, key: &str, value: impl std::fmt::Display) {
        use std::fmt::Write as _;
        // INVARIANT: writing to a String cannot fail
        let _ = write!(self.key(key), "{value}");
    }

    fn text(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            write_string(self.key(key), value);
        }
    }

    fn bound(&mut self, key: &str, bound: Option<&Bound>) {
        match bound {
            None => {}
            Some(Bound::Number(token)) => self.key(key).push_str(token),
            Some(Bound::Text(text)) => write_string(self.key(key), text),
        }
    }

    fn list<V>(&mut self, key: &str, items: Option<&[V]>, each: impl Fn(&V, &mut String)) {
        let Some(items) = items else { return };
        let out = self.key(key);
        out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            each(item, out);
        }
        out.push(']');
    }

    fn provenance(&mut self, provenance: &Provenance) {
        self.text("createdBy", provenance.created_by.as_deref());
        self.text("updatedBy", provenance.updated_by.as_deref());
        self.text("createdDate", provenance.created_date.as_deref());
        self.text("updatedDate", provenance.updated_date.as_deref());
    }

    fn end(mut self, extra: &Extra) {
        for (key, json) in extra {
            self.raw(key, json);
        }
        self.out.push('}');
    }
}

impl Schema {
    /// The schema-detail document, without white space. What is absent here is absent there.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(256 + self.fields.len() * 256);
        let mut object = ObjectWriter::new(&mut out);
        object.text("schemaId", Some(&self.id));
        object.text("name", Some(&self.name));
        object.text("description", self.description.as_deref());
        object.text("businessAreaId", self.area_id.as_deref());
        object.text("businessAreaName", self.area_name.as_deref());
        if let Some(version) = self.version {
            object.raw("version", version);
        }
        object.provenance(&self.provenance);
        object.list("fields", Some(&self.fields), write_field);
        object.end(&self.extra);
        out
    }

    /// A stable hash (64-bit FNV-1a, in hex) of what the schema says of records and of itself: not of its version and
    /// area, nor of who made it and its fields, and when. Two schemas with the same one are taken to be the same.
    pub fn fingerprint(&self) -> String {
        let bare = Schema {
            area_id: None,
            version: None,
            ..self.without_provenance()
        };
        id_of(&[&bare.to_json()])
    }

    /// The same schema without what stays out of generated code: who made it and its fields, when,
    /// and the area's name.
    #[must_use]
    pub fn without_provenance(&self) -> Schema {
        let mut schema = self.clone();
        schema.area_name = None;
        schema.provenance = Provenance::default();
        for field in &mut schema.fields {
            field.provenance = Provenance::default();
        }
        schema
    }
}

/// A field as it stands in a document.
pub(crate) fn field_json(field: &Field) -> String {
    let mut out = String::with_capacity(256);
    write_field(field, &mut out);
    out
}

fn write_field(field: &Field, out: &mut String) {
    let mut object = ObjectWriter::new(out);
    object.text("fieldId", Some(&field.id));
    object.text("name", Some(&field.name));
    object.text("description", field.description.as_deref());
    object.raw("active", field.active);
    object.text("dataType", Some(field.data_type.name()));
    object.raw("isPrimaryKey", field.primary_key);
    object.raw("isSortKey", field.sort_key);
    object.raw("isRequired", field.required);
    for (key, flag) in [
        ("isMultivalue", field.multivalue),
        ("isPII", field.pii),
        ("isSearched", field.searched),
    ] {
        if let Some(flag) = flag {
            object.raw(key, flag);
        }
    }
    object.bound("min", field.min.as_ref());
    object.bound("max", field.max.as_ref());
    object.list(
        "classifiers",
        field.classifiers.as_deref(),
        write_classifier,
    );
    object.list(
        "validationRules",
        field.validation_rules.as_deref(),
        |rule, out| {
            write_string(out, rule);
        },
    );
    object.text(
        "allowedBooleanValues",
        field.boolean_words.map(BooleanWords::name),
    );
    object.text("picklistType", field.picklist_type.map(PicklistType::name));
    object.list(
        "staticPicklist",
        field.static_picklist.as_deref(),
        write_entry,
    );
    object.text("dataDomainId", field.data_domain_id.as_deref());
    object.text("dateFormat", field.date_format.map(DateFormat::name));
    object.text("dateSeparator", field.date_separator.map(Separator::name));
    object.text("timeFormat", field.time_format.map(TimeFormat::name));
    object.bound("maxWidth", field.max_width.as_ref());
    object.bound("maxHeight", field.max_height.as_ref());
    object.bound("maxSize", field.max_size.as_ref());
    object.provenance(&field.provenance);
    object.end(&field.extra);
}

fn write_classifier(classifier: &Classifier, out: &mut String) {
    let mut object = ObjectWriter::new(out);
    object.text("tagId", Some(&classifier.tag_id));
    object.text("tagName", Some(&classifier.tag_name));
    object.end(&classifier.extra);
}

fn write_entry(entry: &PicklistEntry, out: &mut String) {
    let mut object = ObjectWriter::new(out);
    object.text("code", Some(&entry.code));
    object.text("description", entry.description.as_deref());
    object.end(&entry.extra);
}
