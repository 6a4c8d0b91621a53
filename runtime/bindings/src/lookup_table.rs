//! What is known outside a schema, read from JSON: the codes of data domains and the facts of files.

use engine::validate::{CodeLookup, FileFacts, Lookups};
use schema::json::{Node, Value, parse};
use std::collections::{HashMap, HashSet};

/// Look-ups as a table. A domain that it does not have does not exist; files are judged when it has a table of them.
#[derive(Clone, Debug, Default)]
pub struct LookupTable {
    domains: HashMap<String, HashSet<String>>,
    files: Option<HashMap<String, FileFacts>>,
}

impl LookupTable {
    /// Reads `{"domains": {"domain id": ["code", …]}, "files": {"reference": {"id": …, "mediaType": …, "size": …,
    /// "width": …, "height": …}}}`; each may be left out, and so may a file's `width` and `height`.
    ///
    /// # Errors
    /// With what is not of this shape, and where.
    pub fn read(json: &str) -> Result<Self, String> {
        let root = parse(json).map_err(|error| format!("the look-ups are not JSON: {error}"))?;
        let mut table = LookupTable::default();
        for (key, node) in members("the look-ups", &root)? {
            match key {
                "domains" => {
                    for (domain, codes) in members("domains", node)? {
                        table
                            .domains
                            .insert(domain.to_owned(), codes_of(domain, codes)?);
                    }
                }
                "files" => {
                    let files = members("files", node)?.map(|(reference, facts)| {
                        Ok((reference.to_owned(), facts_of(reference, facts)?))
                    });
                    table.files = Some(files.collect::<Result<_, String>>()?);
                }
                _ => return Err(format!("{key:?}: look-ups have domains and files")),
            }
        }
        Ok(table)
    }
}

/// The members of an object.
fn members<'n>(
    what: &str,
    node: &'n Node<'_>,
) -> Result<impl Iterator<Item = (&'n str, &'n Node<'n>)>, String> {
    match &node.value {
        Value::Object(members) => Ok(members
            .iter()
            .map(|member| (member.key.as_ref(), &member.value))),
        _ => Err(format!("{what} must be an object, not {}", node.kind())),
    }
}

fn codes_of(domain: &str, node: &Node<'_>) -> Result<HashSet<String>, String> {
    let wrong = || format!("domains[{domain:?}] must be an array of texts");
    let Value::Array(items) = &node.value else {
        return Err(wrong());
    };
    let code = |item: &Node<'_>| match &item.value {
        Value::String(code) => Ok(code.clone().into_owned()),
        _ => Err(wrong()),
    };
    items.iter().map(code).collect()
}

fn facts_of(reference: &str, node: &Node<'_>) -> Result<FileFacts, String> {
    let mut facts = FileFacts::default();
    let (mut id, mut media_type, mut size) = (None, None, None);
    for (key, value) in members(&format!("files[{reference:?}]"), node)? {
        match key {
            "id" => id = text(value),
            "mediaType" => media_type = text(value),
            "size" => size = whole(value),
            "width" => facts.width = whole(value),
            "height" => facts.height = whole(value),
            _ => {}
        }
    }
    let lacks = |what| format!("files[{reference:?}] needs {what}");
    facts.id = id.ok_or_else(|| lacks("id, a text"))?;
    facts.media_type = media_type.ok_or_else(|| lacks("mediaType, a text"))?;
    facts.size = size.ok_or_else(|| lacks("size, a whole number of bytes"))?;
    Ok(facts)
}

fn text(node: &Node<'_>) -> Option<String> {
    match &node.value {
        Value::String(text) => Some(text.clone().into_owned()),
        _ => None,
    }
}

fn whole(node: &Node<'_>) -> Option<u64> {
    match &node.value {
        Value::Number(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

impl Lookups for LookupTable {
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
        match self.domains.get(domain_id) {
            None => CodeLookup::NoDomain,
            Some(codes) if codes.contains(code) => CodeLookup::Known,
            Some(_) => CodeLookup::Unknown,
        }
    }

    fn file(&self, reference: &str) -> Option<FileFacts> {
        self.files.as_ref()?.get(reference).cloned()
    }

    fn knows_files(&self) -> bool {
        self.files.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_what_its_text_says() {
        let table = LookupTable::read(
            r#"{"domains": {"d1": ["a", "b"]}, "files": {"f": {"id": "1", "mediaType": "image/png", "size": 7, "width": 2}}}"#,
        )
        .unwrap();
        assert_eq!(table.code("d1", "b"), CodeLookup::Known);
        assert_eq!(table.code("d1", "B"), CodeLookup::Unknown);
        assert_eq!(table.code("d2", "a"), CodeLookup::NoDomain);
        let facts = table.file("f").unwrap();
        assert_eq!((facts.size, facts.width, facts.height), (7, Some(2), None));
        assert!(table.knows_files());
    }

    #[test]
    fn files_are_not_judged_by_a_table_that_says_nothing_of_them() {
        assert!(!LookupTable::read("{}").unwrap().knows_files());
        assert!(LookupTable::read(r#"{"files": {}}"#).unwrap().knows_files());
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_place() {
        for (text, place) in [
            ("[]", "the look-ups must be an object"),
            ("{", "not JSON"),
            (r#"{"domain": {}}"#, "\"domain\""),
            (r#"{"domains": {"d1": "a"}}"#, "domains[\"d1\"]"),
            (r#"{"domains": {"d1": [1]}}"#, "domains[\"d1\"]"),
            (
                r#"{"files": {"f": {"id": "1", "mediaType": "a/b"}}}"#,
                "needs size",
            ),
        ] {
            let error = LookupTable::read(text).unwrap_err();
            assert!(error.contains(place), "{text}: {error}");
        }
    }
}
