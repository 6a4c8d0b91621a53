//! Rows of JSON of which members are for fields of other names: as it was said, or as they were called in an earlier version of the
//! schema. Such a member gets the name that its field has, or goes; all else stays as it stands, and is judged by others. What an
//! export puts beside the fields goes, too.
//!
//! | said | row | told as |
//! | - | - | - |
//! | `Nr=Code` | `{"Nr":"1","Name":"A"}` | `{"Code":"1","Name":"A"}` |
//! | `Nr=` | `{"Nr":"1","Name":"A"}` | `{"Name":"A"}` |

use crate::mapping::{Mapping, WrongMapping, require_one_each};
use crate::system_columns::{ERRORS_COLUMN, ID_COLUMN, VERSION_COLUMN};
use schema::Schema;
use schema::json::{Scanner, SyntaxError, Token, write_string};
use std::collections::HashMap;

/// What becomes of members.
#[derive(Debug, Default)]
pub(crate) struct Members {
    /// By their names in the file: the key of the field that each is for, or nothing where it is left out.
    own: HashMap<String, Option<String>>,
    /// Whether those of the system are all that are in it.
    are_of_system: bool,
    /// Whether the id of a record is one, and nothing else was said of it; and its version.
    has_ids: bool,
    has_versions: bool,
}

/// What a row says of its record beside the fields: empty where it says that there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordMark {
    pub(crate) id: Option<String>,
    pub(crate) version: Option<String>,
}

impl Members {
    /// Those of a file whose members go by the names of an earlier version, of which each field is one of now, if it is there.
    pub(crate) fn of(
        schema: &Schema,
        names: &Schema,
        fields: &[Option<usize>],
        said: &[Mapping],
    ) -> Result<Self, WrongMapping> {
        let named: Vec<&str> = names.active_fields().map(|it| it.name.as_str()).collect();
        let now: Vec<&str> = schema.active_fields().map(|it| it.name.as_str()).collect();
        let key = |index: usize| {
            let mut key = String::new();
            write_string(&mut key, now[index]);
            key
        };
        let system = [ID_COLUMN, ERRORS_COLUMN, VERSION_COLUMN];
        let mut members: HashMap<String, Option<String>> = system
            .iter()
            .map(|name| ((*name).to_owned(), None))
            .collect();
        let mut are_of_system = true;
        for (index, name) in named.iter().enumerate() {
            match fields[index] {
                Some(field) if now[field] != *name => {
                    are_of_system = false;
                    members.insert((*name).to_owned(), Some(key(field)));
                }
                // by its name it would be taken for the other's
                None if now.contains(name) => return Err(WrongMapping::gone(names, index)),
                // that of no field is told row by row
                Some(_) | None => {}
            }
        }
        let said = said
            .iter()
            .map(|it| it.fitted(|_| true, |field| named.contains(&field)));
        let said: Vec<Mapping> = said.collect();
        require_one_each(&said)?;
        are_of_system &= said.is_empty();
        let is_unsaid = |name: &str| !said.iter().any(|it| it.column == name);
        let (has_ids, has_versions) = (is_unsaid(ID_COLUMN), is_unsaid(VERSION_COLUMN));
        for Mapping { column, field } in said {
            let own = match field {
                None => None,
                Some(name) => {
                    let index = named.iter().position(|it| *it == name);
                    let index = index.ok_or_else(|| WrongMapping::no_field(&name, &named))?;
                    let field = fields[index].ok_or_else(|| WrongMapping::gone(names, index))?;
                    Some(key(field))
                }
            };
            members.insert(column, own);
        }
        Ok(Members {
            own: members,
            are_of_system,
            has_ids,
            has_versions,
        })
    }

    /// A row with the names that its fields have; `None` where they are those already, and where it is no object. `mark` is
    /// what it says of its record.
    pub(crate) fn renamed<'o>(
        &self,
        row: &[u8],
        out: &'o mut String,
        mark: &mut RecordMark,
    ) -> Option<&'o [u8]> {
        *mark = RecordMark::default();
        // most rows have none of the system, and are not to be read for that alone
        let has_none = || memchr::memmem::find(row, b"\"_").is_none();
        if self.own.is_empty() || self.are_of_system && has_none() {
            return None;
        }
        let row = std::str::from_utf8(row).ok()?;
        let is_other = self.write(row, out, mark).ok()?;
        is_other.then_some(out.as_bytes())
    }

    /// Writes a row anew; whether it is another one.
    fn write(
        &self,
        row: &str,
        out: &mut String,
        mark: &mut RecordMark,
    ) -> Result<bool, SyntaxError> {
        let mut scanner = Scanner::new(row);
        scanner.skip_space();
        scanner.expect(b'{', "`{`")?;
        scanner.skip_space();
        if scanner.peek() == Some(b'}') {
            return Ok(false);
        }
        out.clear();
        out.push('{');
        let mut is_other = false;
        loop {
            scanner.skip_space();
            let start = scanner.offset();
            let name = scanner.string()?;
            let behind = scanner.offset();
            scanner.skip_space();
            scanner.expect(b':', "`:`")?;
            let value = scanner.offset();
            scanner.skip_value()?;
            let name = name.decode();
            let mut own = self.own.get(&*name);
            let part = match &*name {
                ID_COLUMN if self.has_ids => Some(&mut mark.id),
                VERSION_COLUMN if self.has_versions => Some(&mut mark.version),
                _ => None,
            };
            if let Some(part) = part {
                if part.is_some() {
                    // which of both is meant is not said: it stays in the row, where it is refused
                    own = None;
                }
                *part = Some(text_of(scanner.slice(value, scanner.offset()).trim()));
            }
            is_other |= own.is_some();
            let key = match own {
                Some(own) => own.as_deref(),
                None => Some(scanner.slice(start, behind)),
            };
            if let Some(key) = key {
                if out.len() > 1 {
                    out.push(',');
                }
                out.push_str(key);
                out.push_str(scanner.slice(behind, scanner.offset()));
            }
            scanner.skip_space();
            if !scanner.take(b',') {
                break;
            }
        }
        // whatever stands where its end should be is told
        out.push_str(scanner.slice(scanner.offset(), row.len()));
        Ok(is_other)
    }
}

/// What a member says; empty where it says that there is nothing.
fn text_of(json: &str) -> String {
    match Scanner::new(json).token() {
        Ok(Token::Null) => String::new(),
        Ok(Token::String(text)) => text.decode().into_owned(),
        _ => json.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::fields_since;
    use schema::{DataType, Field};

    fn schema(fields: &[(&str, &str)]) -> Schema {
        let fields = fields.iter();
        let fields = fields.map(|(id, name)| Field::new(*id, *name, DataType::String));
        Schema {
            fields: fields.collect(),
            ..Schema::default()
        }
    }

    fn members(names: &Schema, schema: &Schema, said: &[&str]) -> Result<Members, WrongMapping> {
        let said: Vec<Mapping> = said.iter().filter_map(|it| Mapping::parse(it)).collect();
        Members::of(schema, names, &fields_since(names, schema), &said)
    }

    fn renamed(members: &Members, row: &str) -> Option<String> {
        let mut out = String::new();
        let row = members.renamed(row.as_bytes(), &mut out, &mut RecordMark::default())?;
        Some(String::from_utf8_lossy(row).into_owned())
    }

    #[test]
    fn members_are_for_the_fields_that_were_said() {
        let now = schema(&[("f1", "Code"), ("f2", "Na\"me")]);
        let said = members(&now, &now, &["Nr=Code", "N=Na\"me", "Gone="]).unwrap();
        for (row, expected) in [
            (
                r#"{"Nr":"1","x":{"Nr":2}}"#,
                Some(r#"{"Code":"1","x":{"Nr":2}}"#),
            ),
            (
                r#" { "Gone" : [1, "}"] , "N" : null } "#,
                Some(r#"{"Na\"me" : null} "#),
            ),
            (r#"{"Gone":1}"#, Some("{}")),
            (r#"{"\u004er":1}"#, Some(r#"{"Code":1}"#)),
            (r#"{"Nr":1,"Code":2} x"#, Some(r#"{"Code":1,"Code":2} x"#)),
            (r#"{"Code":1}"#, None),
            ("{}", None),
            ("[1]", None),
            (r#"{"Nr":"#, None),
        ] {
            assert_eq!(renamed(&said, row).as_deref(), expected, "{row}");
        }
        let wrong = members(&now, &now, &["Nr=Cdoe"]).unwrap_err();
        let expected = "the schema has no active field \"Cdoe\"; is \"Code\" meant?";
        assert_eq!(wrong.to_string(), expected);
    }

    #[test]
    fn what_an_export_puts_beside_the_fields_goes_and_its_id_is_told() {
        let now = schema(&[("f1", "Code")]);
        let plain = members(&now, &now, &[]).unwrap();
        let mut out = String::new();
        for (row, id, expected) in [
            (
                r#"{"_dataObjectId":"a\u0062","_errors":"Code: x","Code":1}"#,
                Some("ab"),
                Some(r#"{"Code":1}"#),
            ),
            (
                r#"{"Code":1, "_dataObjectId" : null }"#,
                Some(""),
                Some(r#"{"Code":1}"#),
            ),
            (r#"{"_dataObjectId":7}"#, Some("7"), Some("{}")),
            (
                r#"{"_dataObjectId":"a","Code":1,"_dataObjectId":"b"}"#,
                Some("b"),
                Some(r#"{"Code":1,"_dataObjectId":"b"}"#),
            ),
            (r#"{"_version":7}"#, None, Some("{}")),
            (r#"{"Code":"_"}"#, None, None),
        ] {
            let mut found = RecordMark {
                id: Some("of the row before".to_owned()),
                version: Some("6".to_owned()),
            };
            let renamed = plain.renamed(row.as_bytes(), &mut out, &mut found);
            let renamed = renamed.map(|it| std::str::from_utf8(it).unwrap());
            assert_eq!((renamed, found.id.as_deref()), (expected, id), "{row}");
            let version = row.contains("_version").then_some("7");
            assert_eq!(found.version.as_deref(), version, "{row}");
        }
        for said in ["_dataObjectId=", "_dataObjectId=Code"] {
            let own = members(&now, &now, &[said]).unwrap();
            let mut found = RecordMark::default();
            own.renamed(br#"{"_dataObjectId":"a"}"#, &mut out, &mut found);
            assert_eq!(found.id, None, "{said}");
        }
    }

    #[test]
    fn members_go_by_the_names_of_the_version_that_the_file_is_of() {
        let before = schema(&[("f1", "Code"), ("f2", "Name"), ("f3", "Other")]);
        let after = schema(&[
            ("f2", "Other"),
            ("f3", "Name"),
            ("f1", "Code"),
            ("f4", "New"),
        ]);
        let since = members(&before, &after, &["N=Name"]).unwrap();
        let row = r#"{"Code":1,"Name":2,"Other":3}"#;
        let expected = r#"{"Code":1,"Other":2,"Name":3}"#;
        assert_eq!(renamed(&since, row).as_deref(), Some(expected));
        assert_eq!(
            renamed(&since, r#"{"N":1}"#).as_deref(),
            Some(r#"{"Other":1}"#)
        );
        let taken = schema(&[("f1", "Code"), ("f5", "Name")]);
        for (now, said) in [
            (&taken, &[][..]),
            (&schema(&[("f1", "Code")]), &["N=Name"][..]),
        ] {
            let wrong = members(&before, now, said).unwrap_err();
            let expected = "the field \"Name\" is not in the schema any more; send the file anew";
            assert_eq!(wrong.to_string(), expected);
        }
    }
}
