//! The enums of a schema's static picklists, each named after its struct and field, and their variants after the codes.

use super::derives::{OF_PICKLIST, without_own};
use super::lints;
use super::model::{EnumPlan, VariantPlan};
use super::notes::Notes;
use super::planner::Planner;
use crate::name::{IdentifierKind, IdentifierRequest};
use crate::rust_type;
use schema::{Path, Schema};
use std::collections::HashSet;

impl<'a> Planner<'a> {
    pub(super) fn picklists(
        &mut self,
        schema: &'a Schema,
        record: &str,
        notes: &mut Notes<'_>,
    ) -> Vec<EnumPlan<'a>> {
        let lists = schema.fields.iter().enumerate();
        let lists: Vec<_> = lists
            .filter(|(_, f)| f.active && rust_type::is_enum(f))
            .collect();
        let requests: Vec<_> = lists
            .iter()
            .map(|(_, field)| IdentifierRequest {
                kind: IdentifierKind::Type,
                owner: record,
                text: self.renames.field(schema, field).unwrap_or(&field.name),
                id: &field.id,
                rename: self.renames.picklist(schema, field),
                locked: self
                    .locked(schema, field)
                    .and_then(|own| own.picklist.as_deref()),
            })
            .collect();
        let is_there = |id: &str| lists.iter().any(|(_, field)| field.id == id);
        let others = self.lock.schema(&schema.id).into_iter();
        let others = others.flat_map(|own| own.enums_of_others(is_there));
        let patch = format!("{}Patch", record.trim_end_matches('_'));
        let reserved = others.chain([record, &patch]).collect();
        let names = self.assign("the types", &requests, &reserved);
        let found = lists.into_iter().zip(names);
        found
            .map(|((index, field), name)| {
                let at_name = Path::field(index).key("name");
                notes.add(&format!("{record} {}", field.name), at_name, &name);
                let variants = self.variants(schema, index, &name.text, notes);
                EnumPlan {
                    allows: lints::of_picklist(&name.text, &variants),
                    derives: without_own(OF_PICKLIST, self.additions.derives(&name.text)),
                    attributes: self.additions.of_type(&name.text),
                    name: name.text,
                    source: field,
                    variants,
                }
            })
            .collect()
    }

    fn variants(
        &mut self,
        schema: &'a Schema,
        index: usize,
        picklist: &str,
        notes: &mut Notes<'_>,
    ) -> Vec<VariantPlan<'a>> {
        let field = &schema.fields[index];
        let entries = field.static_picklist.as_deref().unwrap_or_default();
        let locked = self.locked(schema, field);
        let requests: Vec<_> = entries
            .iter()
            .map(|entry| IdentifierRequest {
                kind: IdentifierKind::Variant,
                owner: "",
                text: &entry.code,
                id: &entry.code,
                rename: self.renames.code(schema, field, &entry.code),
                locked: locked.and_then(|own| Some(own.codes.get(&entry.code)?.as_str())),
            })
            .collect();
        let scope = format!("the enum `{picklist}`");
        let codes: HashSet<&str> = entries.iter().map(|entry| entry.code.as_str()).collect();
        let is_there = |code: &str| codes.contains(code);
        let reserved = locked
            .into_iter()
            .flat_map(|own| own.variants_of_others(is_there));
        let names = self.assign(&scope, &requests, &reserved.collect());
        let found = entries.iter().zip(names).enumerate();
        found
            .map(|(at, (entry, name))| {
                let path = Path::field(index)
                    .key("staticPicklist")
                    .index(at)
                    .key("code");
                notes.add(&entry.code, path, &name);
                VariantPlan {
                    attributes: self.additions.of_member(picklist, &name.text),
                    name: name.text,
                    entry,
                }
            })
            .collect()
    }
}
