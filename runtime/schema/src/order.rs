//! The order of a schema's fields: by when they were made. Those that were made together stand as whoever wrote the
//! document put them. docs/rules.md, "Versions of a schema".

use crate::model::Schema;
use std::collections::HashMap;

impl Schema {
    /// Of each field by its id, where those begin that were made together with it.
    pub fn field_batches(&self) -> HashMap<&str, usize> {
        let mut batches = HashMap::with_capacity(self.fields.len());
        let mut begin = 0;
        for (at, field) in self.fields.iter().enumerate() {
            let made = |at: usize| &self.fields[at].provenance.created_date;
            if made(at) != made(begin) {
                begin = at;
            }
            batches.insert(field.id.as_str(), begin);
        }
        batches
    }

    /// Puts the fields of a document that is to follow `old` in order: those that are there already stay behind what was
    /// made before them, new ones follow all of them.
    pub fn order_fields(&mut self, old: &Schema) {
        let batches = old.field_batches();
        let batch = |id: &str| batches.get(id).copied().unwrap_or(usize::MAX);
        self.fields.sort_by_key(|field| batch(&field.id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_type::DataType;
    use crate::model::Field;

    fn schema(fields: &[(&str, &str)]) -> Schema {
        let field = |(id, day): &(&str, &str)| {
            let mut field = Field::new(*id, *id, DataType::String);
            field.provenance.created_date = (!day.is_empty()).then(|| (*day).to_owned());
            field
        };
        Schema {
            fields: fields.iter().map(field).collect(),
            ..Schema::default()
        }
    }

    #[test]
    fn fields_made_together_stand_as_the_document_has_them_and_none_before_an_older_one() {
        let old = schema(&[("a", "1"), ("b", "1"), ("c", "2"), ("d", "3"), ("e", "3")]);
        for (sent, kept) in [
            ("abcde", "abcde"),
            ("baced", "baced"),
            ("edcba", "baced"),
            ("xbya", "baxy"),
            ("cb", "bc"),
        ] {
            let ids: Vec<_> = sent.chars().map(String::from).collect();
            let fields: Vec<_> = ids.iter().map(|id| (id.as_str(), "")).collect();
            let mut new = schema(&fields);
            new.order_fields(&old);
            let order: String = new.fields.iter().map(|field| &*field.id).collect();
            assert_eq!(order, kept, "{sent}");
        }
    }
}
