//! Look-ups for random records: two domains exist, and the files `f0` to `f9`, also under an
//! address. A file's facts follow from its number.

use runtime::validate::{CodeLookup, FileFacts, Lookups};

pub(crate) struct Known;

/// The codes of the first domain; the second has one of them.
pub(crate) const CODES: &[&str] = &["A", "B", "\u{e9}", "x y"];

/// What the address of a file begins with.
pub(crate) const ADDRESS: &str = "https://files.example.org/";

impl Lookups for Known {
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
        let is_known = match domain_id {
            "domain-1" => CODES.contains(&code),
            "domain-2" => code == CODES[0],
            _ => return CodeLookup::NoDomain,
        };
        if is_known {
            CodeLookup::Known
        } else {
            CodeLookup::Unknown
        }
    }

    fn file(&self, reference: &str) -> Option<FileFacts> {
        let id = reference.strip_prefix(ADDRESS).unwrap_or(reference);
        let number: u64 = id
            .strip_prefix('f')
            .filter(|digit| digit.len() == 1)?
            .parse()
            .ok()?;
        let kinds = ["image/png", "video/mp4", "text/plain", "image/jpeg"];
        let pixels = (number < 8).then_some(number * 40);
        Some(FileFacts {
            id: id.to_owned(),
            media_type: kinds[usize::try_from(number).ok()? % kinds.len()].to_owned(),
            size: number * number * 80,
            width: pixels,
            height: pixels.map(|pixels| pixels / 2),
        })
    }
}
