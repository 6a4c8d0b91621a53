//! The names of the properties that a schema document may have: for those who tell of slips of the pen. What each may be,
//! the reader knows.

/// Those of a schema, in alphabetical order.
pub const SCHEMA_PROPERTIES: &[&str] = &[
    "businessAreaId",
    "businessAreaName",
    "createdBy",
    "createdDate",
    "description",
    "fields",
    "name",
    "schemaId",
    "updatedBy",
    "updatedDate",
    "version",
];

/// Those of a field, in alphabetical order.
pub const FIELD_PROPERTIES: &[&str] = &[
    "active",
    "allowedBooleanValues",
    "classifiers",
    "createdBy",
    "createdDate",
    "dataDomainId",
    "dataType",
    "dateFormat",
    "dateSeparator",
    "description",
    "fieldId",
    "isMultivalue",
    "isPII",
    "isPrimaryKey",
    "isRequired",
    "isSearched",
    "isSortKey",
    "max",
    "maxHeight",
    "maxSize",
    "maxWidth",
    "min",
    "name",
    "picklistType",
    "staticPicklist",
    "timeFormat",
    "updatedBy",
    "updatedDate",
    "validationRules",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{BooleanWords, DateFormat, Separator, TimeFormat};
    use crate::{
        Bound, Classifier, DataType, Field, PicklistEntry, PicklistType, Provenance, Schema,
    };
    use serde_json::Value;

    fn keys(value: &Value) -> Vec<&str> {
        let mut keys: Vec<_> = value
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        keys.sort_unstable();
        keys
    }

    /// What the writer writes is all that there is: the reader reads it back.
    #[test]
    fn they_are_those_that_a_whole_document_has() {
        let some = || Some("x".to_owned());
        let provenance = || Provenance {
            created_by: some(),
            updated_by: some(),
            created_date: some(),
            updated_date: some(),
        };
        let one = || Some(Bound::from(1));
        let field = Field {
            description: some(),
            multivalue: Some(true),
            pii: Some(true),
            searched: Some(true),
            min: one(),
            max: one(),
            classifiers: Some(vec![Classifier::default()]),
            validation_rules: Some(vec!["alphanumeric".to_owned()]),
            boolean_words: Some(BooleanWords::ALL[0]),
            picklist_type: Some(PicklistType::Static),
            static_picklist: Some(vec![PicklistEntry::default()]),
            data_domain_id: some(),
            date_format: Some(DateFormat::ALL[0]),
            date_separator: Some(Separator::ALL[0]),
            time_format: Some(TimeFormat::ALL[0]),
            max_width: one(),
            max_height: one(),
            max_size: one(),
            provenance: provenance(),
            ..Field::new("f", "F", DataType::String)
        };
        let schema = Schema {
            id: "s".to_owned(),
            name: "S".to_owned(),
            description: some(),
            area_id: some(),
            area_name: some(),
            version: Some(1),
            provenance: provenance(),
            fields: vec![field],
            extra: crate::Extra::new(),
        };
        let written: Value = serde_json::from_str(&schema.to_json()).unwrap();
        assert_eq!(keys(&written), SCHEMA_PROPERTIES);
        assert_eq!(keys(&written["fields"][0]), FIELD_PROPERTIES);
    }
}
