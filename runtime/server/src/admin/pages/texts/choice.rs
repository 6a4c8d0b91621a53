//! Which of the languages somebody reads: by its code, or by what a browser likes.

use super::{ALL, Texts, en};

impl Texts {
    /// Those of a language's code.
    pub(in crate::admin::pages) fn of(code: &str) -> Option<&'static Self> {
        ALL.into_iter().find(|texts| texts.code == code)
    }

    /// Those that a browser likes best (`Accept-Language`), English where it likes none.
    pub(in crate::admin::pages) fn liked(accepted: &str) -> &'static Self {
        let mut best: Option<(&'static Self, f32)> = None;
        for range in accepted.split(',') {
            let (tag, weight) = range.split_once(';').unwrap_or((range, ""));
            let weight = weight
                .trim()
                .strip_prefix("q=")
                .map_or(Some(1.0), |it| it.parse().ok());
            let language = tag.trim().split('-').next().unwrap_or_default();
            let found = Self::of(&language.to_ascii_lowercase());
            if let (Some(texts), Some(weight)) = (found, weight)
                && weight > best.map_or(0.0, |(_, weight)| weight)
            {
                best = Some((texts, weight));
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

    #[test]
    fn the_language_that_is_liked_best_is_spoken() {
        for (accepted, code) in [
            ("", "en"),
            ("de", "de"),
            ("de-CH, fr;q=0.9", "de"),
            ("fr, de;q=0.3, en;q=0.8", "en"),
            ("tlh", "en"),
            ("de;q=0", "en"),
        ] {
            assert_eq!(Texts::liked(accepted).code, code, "{accepted}");
        }
    }
}
