//! Codes of data domains, from a file. Files that records refer to are not known here.

use crate::data_files::Failure;
use engine::validate::{CodeLookup, FileFacts, Lookups};
use schema::json::{Node, Value, parse, unmarked};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The codes of each domain, by its id.
pub(crate) struct Domains(HashMap<String, HashSet<String>>);

impl Domains {
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| Failure::file("read", path, &error))?;
        let wrong = |what: String| {
            let message = format!("{}: {what}", path.display());
            Failure::new(message, "write it as {\"domain id\": [\"code\", …], …}")
        };
        let root = parse(unmarked(&text))
            .map_err(|error| wrong(format!("the file is not JSON: {error}")))?;
        let Value::Object(members) = &root.value else {
            return Err(wrong(format!("the file holds {}", root.kind())));
        };
        let mut domains = HashMap::new();
        for member in members {
            let codes = codes(&member.value);
            let codes =
                codes.ok_or_else(|| wrong(format!("{:?} has no array of codes", member.key)))?;
            domains.insert(member.key.clone().into_owned(), codes);
        }
        Ok(Domains(domains))
    }
}

impl Domains {
    /// The codes of a domain, in order; none of one that is not there.
    pub(crate) fn codes_of(&self, domain_id: &str) -> Vec<String> {
        let codes = self.0.get(domain_id).into_iter().flatten();
        let mut codes: Vec<_> = codes.cloned().collect();
        codes.sort();
        codes
    }
}

fn codes(node: &Node<'_>) -> Option<HashSet<String>> {
    let Value::Array(items) = &node.value else {
        return None;
    };
    let code = |item: &Node<'_>| match &item.value {
        Value::String(code) => Some(code.clone().into_owned()),
        _ => None,
    };
    items.iter().map(code).collect()
}

impl Lookups for Domains {
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
        match self.0.get(domain_id) {
            None => CodeLookup::NoDomain,
            Some(codes) if codes.contains(code) => CodeLookup::Known,
            Some(_) => CodeLookup::Unknown,
        }
    }

    fn file(&self, _reference: &str) -> Option<FileFacts> {
        None
    }

    fn knows_files(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_codes_that_an_editor_began_with_a_mark_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("codes.json");
        std::fs::write(&path, "\u{feff}{\"d1\":[\"B\",\"A\"]}").unwrap();
        let Ok(domains) = Domains::read(&path) else {
            panic!("it can't be read");
        };
        assert_eq!(domains.codes_of("d1"), ["A", "B"]);
    }
}
