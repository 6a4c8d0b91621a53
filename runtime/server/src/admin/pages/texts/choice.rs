//! Which of the languages somebody reads: by its code, or by what a browser likes.

use super::{ALL, Texts, en};
use crate::http::accept::weighted;

impl Texts {
    /// Those of each language.
    pub(in crate::admin::pages) fn all() -> impl Iterator<Item = &'static Self> {
        ALL.iter().copied()
    }

    /// Those of a language's code.
    pub(in crate::admin::pages) fn of(code: &str) -> Option<&'static Self> {
        Self::all().find(|texts| texts.code == code)
    }

    /// Those that a browser likes best (`Accept-Language`), English where it likes none.
    pub(in crate::admin::pages) fn liked(accepted: &str) -> &'static Self {
        let ranges = weighted(accepted).map(|(range, weight)| {
            let language = range.split('-').next().unwrap_or_default();
            (language.to_ascii_lowercase(), weight)
        });
        let ranges: Vec<(String, u16)> = ranges.collect();
        let is_named = |texts: &Self| ranges.iter().any(|(language, _)| language == texts.code);
        let mut best: Option<(&'static Self, u16)> = None;
        for (language, weight) in &ranges {
            let found = if language == "*" {
                Self::all().find(|texts| !is_named(texts))
            } else {
                Self::of(language)
            };
            if let Some(texts) = found
                && *weight > best.map_or(0, |(_, weight)| weight)
            {
                best = Some((texts, *weight));
            }
        }
        best.map_or(&en::TEXTS, |(texts, _)| texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn each_folder_of_texts_is_a_language_that_is_offered_by_its_code_and_by_a_name_of_its_own() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/admin/pages/texts");
        let entries = std::fs::read_dir(folder).expect("the texts");
        let entries = entries.map(|entry| entry.expect("an entry"));
        let folders = entries.filter(|entry| entry.path().is_dir());
        let folders = folders.map(|folder| folder.file_name().to_string_lossy().into_owned());
        let folders: BTreeSet<String> = folders.collect();
        let codes: BTreeSet<String> = ALL.iter().map(|it| it.code.to_owned()).collect();
        assert_eq!(
            folders, codes,
            "`ALL` has a language that is no folder, or lacks one"
        );
        let names: BTreeSet<_> = ALL.iter().map(|texts| texts.own_name).collect();
        assert_eq!([codes.len(), names.len()], [ALL.len(); 2]);
        for texts in ALL {
            assert!(Texts::of(texts.code).is_some_and(|it| it.own_name == texts.own_name));
        }
    }

    /// The lines of the sources below a folder that name a language's code, but for its own folder and tests.
    fn naming(code: &str, folder: &Path, found: &mut Vec<String>) {
        let is_word = |before: &str| {
            let last = before.chars().next_back();
            last.is_none_or(|it| !it.is_alphanumeric() && it != '_' && it != ':')
        };
        let begins = |line: &str, text: &str| {
            let mut places = line.match_indices(text);
            places.any(|(at, _)| is_word(&line[..at]))
        };
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with(format!("texts/{code}")) {
                naming(code, &path, found);
            }
            let is_of_tests = path.ends_with("tests.rs");
            if is_of_tests || path.extension().is_none_or(|ending| ending != "rs") {
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a source");
            let source = source.split("#[cfg(test)]").next().unwrap_or_default();
            let ways = [
                format!("mod {code};"),
                format!("{code}::TEXTS"),
                format!("\"{code}\""),
            ];
            let lines = source.lines().map(str::trim);
            let lines = lines.filter(|line| ways.iter().any(|way| begins(line, way)));
            found.extend(lines.map(str::to_owned));
        }
    }

    #[test]
    fn a_language_is_its_folder_and_two_lines_and_nothing_else_names_it() {
        let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let others = ALL.iter().filter(|texts| texts.code != en::TEXTS.code);
        for code in others.map(|texts| texts.code) {
            let mut found = Vec::new();
            naming(code, &server, &mut found);
            let [module, place] = found.as_slice() else {
                panic!("{code}: {found:#?}");
            };
            assert_eq!(*module, format!("mod {code};"));
            assert!(place.contains(&format!("&{code}::TEXTS")), "{place}");
        }
    }

    #[test]
    fn the_language_that_is_liked_best_is_spoken() {
        for (accepted, code) in [
            ("", "en"),
            ("de", "de"),
            ("de-CH, fr;q=0.9", "de"),
            ("fr, de;q=0.3, en;q=0.8", "en"),
            ("tlh", "en"),
            ("de;q=0", "en"),
            ("en; q=0.2, DE ; Q = 0.3", "de"),
            ("de, en", "de"),
            ("*", "en"),
            ("fr, *;q=0.5", "en"),
            ("en;q=0.5, *", "de"),
            ("en;q=0, *;q=0.1", "de"),
            ("*;q=0, de;q=0.1", "de"),
        ] {
            assert_eq!(Texts::liked(accepted).code, code, "{accepted}");
        }
    }
}
