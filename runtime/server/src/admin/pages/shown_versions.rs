//! Records as a form or an address names those that a page showed: `id:version`, or the id alone where no version counts.

/// Records that are named at a time, at most: those of a page of the list, and some.
const RECORDS_MAX: usize = 200;

/// A record's id, and the version of it that was shown, if one was.
pub(super) type ShownVersion = (String, Option<i64>);

/// The records that these texts name, as far as they are taken.
pub(super) fn shown_versions<'t>(
    texts: impl Iterator<Item = &'t str>,
) -> impl Iterator<Item = ShownVersion> {
    texts
        .take(RECORDS_MAX)
        .map(|text| match text.split_once(':') {
            Some((id, version)) => (id.to_owned(), version.parse().ok()),
            None => (text.to_owned(), None),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_named_with_the_version_that_was_shown_or_without_one() {
        let texts = ["r-1:7", "r-2", "r-3:", "r-4:x"].into_iter();
        let found: Vec<ShownVersion> = shown_versions(texts).collect();
        let named = |id: &str, version| (id.to_owned(), version);
        let expected = [
            named("r-1", Some(7)),
            named("r-2", None),
            named("r-3", None),
            named("r-4", None),
        ];
        assert_eq!(found, expected);
        let many = std::iter::repeat_n("r-1", RECORDS_MAX + 1);
        assert_eq!(shown_versions(many).count(), RECORDS_MAX);
    }
}
