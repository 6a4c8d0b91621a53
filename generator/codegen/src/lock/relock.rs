//! Moves a field's identifiers: they are found anew, and the old ones are remembered for one version of the schema. What a
//! field that is gone keeps is given up where the one that is moved would be called so.

use super::model::{Lock, MoveLock, SchemaLock};
use crate::error::Mistake;
use crate::message::quoted;
use crate::name::{IdentifierKind, IdentifierRequest, ReservedNames, assign};
use crate::told::is_told;
use schema::{Field, Schema};

impl Lock {
    /// Lets go of the identifiers of a field, told as `Schema.Field`, by its display name or by its id.
    pub(crate) fn relock(&mut self, schemas: &[&Schema], told: &str) -> Result<(), Mistake> {
        let fields = schemas.iter().flat_map(|schema| {
            let fields = schema.active_fields().map(move |field| (*schema, field));
            fields.filter(|(schema, field)| is_told(schema, field, told))
        });
        let mut fields = fields.collect::<Vec<_>>().into_iter();
        let told = quoted(told);
        let (schema, field) = match (fields.next(), fields.next()) {
            (Some(one), None) => one,
            (None, _) => {
                return Err(Mistake {
                    message: format!("--relock {told}: there is no such active field"),
                    help: "write its display name or its id as the schema has it".to_owned(),
                });
            }
            (Some((one, field)), Some((other, _))) => {
                return Err(Mistake {
                    message: format!(
                        "--relock {told}: {} and {} both have such a field",
                        quoted(&one.name),
                        quoted(&other.name)
                    ),
                    help: format!("say which, as {:?}", format!("{}.{}", one.name, field.name)),
                });
            }
        };
        let own = self.schemas.get_mut(&schema.id);
        let Some((own, name)) = own.and_then(|own| {
            let name = own.fields.get_mut(&field.id)?.name.take()?;
            Some((own, name))
        }) else {
            return Err(Mistake {
                message: format!("--relock {told}: the field is not locked"),
                help: "it gets its identifier in this run without it".to_owned(),
            });
        };
        own.give_up(schema, field);
        let locked = own.fields.entry(field.id.clone()).or_default();
        locked.moved = Some(MoveLock {
            version: schema.version,
            name,
            picklist: locked.picklist.take(),
        });
        Ok(())
    }
}

impl SchemaLock {
    /// Forgets a field that the schema does not have any more, where it keeps the name that another one would have.
    fn give_up(&mut self, schema: &Schema, field: &Field) {
        let request = IdentifierRequest {
            kind: IdentifierKind::Field,
            owner: "",
            text: &field.name,
            id: &field.id,
            rename: None,
            locked: None,
        };
        let names = assign(&[request], &ReservedNames::new());
        let is_other = |name: &str| names.iter().all(|wanted| wanted.text != name);
        self.fields.retain(|id, own| {
            let is_there = schema.fields.iter().any(|field| field.id == *id);
            is_there || own.name.as_deref().is_none_or(is_other)
        });
    }
}
