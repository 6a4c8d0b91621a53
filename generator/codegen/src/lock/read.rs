//! A lock's text, read. People merge such files by hand, so everything is looked at: what is no identifier, and what
//! two things have, is told with its place.

use super::model::{FieldLock, Lock, MoveLock, SchemaLock};
use super::write::ABOUT;
use crate::error::{Error, Mistake};
use crate::message::quoted;
use crate::name::is_usable;
use schema::json::{Member, Node, Value, parse, unmarked};
use std::collections::{BTreeMap, BTreeSet};

impl Lock {
    /// Reads the text of a lock file; `file` is what messages call it.
    ///
    /// # Errors
    /// Every place that is not as [`Lock`]'s text has it.
    pub fn read(file: &str, text: &str) -> Result<Self, Error> {
        let text = unmarked(text);
        let mut reading = Reading {
            file,
            text,
            mistakes: Vec::new(),
        };
        let lock = match parse(text) {
            Ok(root) => reading.lock(&root),
            Err(error) => {
                reading.wrong(error.offset, format!("this is not JSON: {error}"));
                Lock::new()
            }
        };
        if reading.mistakes.is_empty() {
            Ok(lock)
        } else {
            Err(Error::Config(reading.mistakes))
        }
    }
}

struct Reading<'t> {
    file: &'t str,
    text: &'t str,
    mistakes: Vec<Mistake>,
}

impl Reading<'_> {
    fn wrong(&mut self, offset: usize, message: impl Into<String>) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        self.mistakes.push(Mistake {
            message: format!("{}:{line}: {}", self.file, message.into()),
            help: "take the file from version control again, or mend the line".to_owned(),
        });
    }

    fn lock(&mut self, root: &Node<'_>) -> Lock {
        let mut lock = Lock::new();
        for (key, node) in self.members(root) {
            match key {
                ABOUT => {}
                "schemas" => {
                    for (id, node) in self.members(node) {
                        let schema = self.schema(node);
                        lock.schemas.insert(id.to_owned(), schema);
                    }
                }
                _ => self.unknown(key, node),
            }
        }
        let modules = lock.schemas.values().map(|schema| schema.module.as_str());
        self.no_two(root, "modules", modules.collect());
        lock
    }

    fn schema(&mut self, node: &Node<'_>) -> SchemaLock {
        let mut schema = SchemaLock::default();
        for (key, member) in self.members(node) {
            match key {
                "module" => schema.module = self.identifier(member),
                "record" => schema.record = self.identifier(member),
                "fields" => {
                    for (id, node) in self.members(member) {
                        let field = self.field(node);
                        schema.fields.insert(id.to_owned(), field);
                    }
                }
                _ => self.unknown(key, member),
            }
        }
        if schema.module.is_empty() || schema.record.is_empty() {
            self.wrong(node.start, "a schema has a `module` and a `record`");
        }
        let fields = schema.fields.values();
        let names = fields.clone().filter_map(|field| field.name.as_deref());
        self.no_two(node, "fields", names.collect());
        let enums = fields.filter_map(|field| field.picklist.as_deref());
        self.no_two(node, "types", enums.chain([&*schema.record]).collect());
        schema
    }

    fn field(&mut self, node: &Node<'_>) -> FieldLock {
        let mut field = FieldLock::default();
        for (key, member) in self.members(node) {
            match key {
                "name" => field.name = Some(self.identifier(member)),
                "enum" => field.picklist = Some(self.identifier(member)),
                "codes" => field.codes = self.codes(member),
                "was" => field.moved = Some(self.moved(member)),
                _ => self.unknown(key, member),
            }
        }
        field
    }

    fn codes(&mut self, node: &Node<'_>) -> BTreeMap<String, String> {
        let members = self.members(node);
        let codes: BTreeMap<String, String> = members
            .into_iter()
            .map(|(code, node)| (code.to_owned(), self.identifier(node)))
            .collect();
        self.no_two(node, "codes", codes.values().map(String::as_str).collect());
        codes
    }

    fn moved(&mut self, node: &Node<'_>) -> MoveLock {
        let mut moved = MoveLock {
            version: None,
            name: String::new(),
            picklist: None,
        };
        for (key, member) in self.members(node) {
            match (key, &member.value) {
                ("name", _) => moved.name = self.identifier(member),
                ("enum", _) => moved.picklist = Some(self.identifier(member)),
                ("until", Value::Number(token)) => moved.version = token.parse().ok(),
                _ => self.unknown(key, member),
            }
        }
        if moved.name.is_empty() {
            self.wrong(node.start, "what was has a `name`");
        }
        moved
    }

    fn identifier(&mut self, node: &Node<'_>) -> String {
        match &node.value {
            Value::String(text) if is_usable(text) => return text.clone().into_owned(),
            Value::String(text) => {
                self.wrong(node.start, format!("{} is no identifier", quoted(text)));
            }
            _ => self.wrong(
                node.start,
                format!("an identifier is a text, not {}", node.kind()),
            ),
        }
        String::new()
    }

    fn unknown(&mut self, key: &str, node: &Node<'_>) {
        self.wrong(node.start, format!("{} means nothing here", quoted(key)));
    }

    /// Whether two things in one scope have one name.
    fn no_two(&mut self, node: &Node<'_>, what: &str, names: Vec<&str>) {
        let mut seen = BTreeSet::new();
        for name in names {
            if !name.is_empty() && !seen.insert(name) {
                self.wrong(node.start, format!("two {what} are called `{name}`"));
            }
        }
    }

    fn members<'n>(&mut self, node: &'n Node<'_>) -> Vec<(&'n str, &'n Node<'n>)> {
        let Value::Object(members) = &node.value else {
            self.wrong(
                node.start,
                format!("an object is expected, not {}", node.kind()),
            );
            return Vec::new();
        };
        let mut seen = BTreeSet::new();
        for Member { key, value, .. } in members {
            if !seen.insert(key.as_ref()) {
                self.wrong(value.start, format!("{} stands twice", quoted(key)));
            }
        }
        members
            .iter()
            .map(|member| (member.key.as_ref(), &member.value))
            .collect()
    }
}
