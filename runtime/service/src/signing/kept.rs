//! Signing secrets that a store keeps among its settings, where no file has them: the one in use in a setting of its own, as
//! ever, and those that are retired in another, a line each as in a file. All servers of the store sign with them.

use super::{SigningSecrets, lines, secret};
use store::catalog::{Catalog, CatalogWrite, Noun, Setting};

/// The setting with the one in use.
pub(super) const SECRET: &str = "secret";
/// The setting with those that are retired.
pub(super) const RETIRED_SECRETS: &str = "retired-secrets";

/// Those of a store; `None` where it keeps none.
pub(super) fn of(catalog: &Catalog) -> Option<SigningSecrets> {
    let in_use = catalog.settings.get(SECRET)?;
    let mut secrets = SigningSecrets::of(in_use.value.clone());
    if let Some(setting) = catalog.settings.get(RETIRED_SECRETS) {
        let retired = setting.value.lines().filter_map(|line| secret(line).ok());
        secrets.retired = retired.filter(|it| it.retired_at.is_some()).collect();
    }
    Some(secrets)
}

/// What makes a store keep these.
pub(super) fn write(secrets: &SigningSecrets) -> CatalogWrite {
    let settings = [
        (SECRET, secrets.in_use.text.clone()),
        (RETIRED_SECRETS, lines(&secrets.retired)),
    ];
    let settings = settings.map(|(id, value)| {
        let id = id.to_owned();
        Noun::from(Setting { id, value })
    });
    CatalogWrite {
        put: settings.into(),
        ..CatalogWrite::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::CountingEntropy;
    use wire::Timestamp;

    #[test]
    fn what_a_store_keeps_comes_back_with_all_that_were_retired() {
        let entropy = CountingEntropy::default();
        let first = SigningSecrets::fresh(&entropy);
        let moment = |millis: i64| Timestamp::from_millis(1_700_000_000_000 + millis);
        let third = first
            .rotated(moment(1), &entropy)
            .rotated(moment(2), &entropy);
        let mut catalog = Catalog::default();
        assert!(of(&catalog).is_none());
        for secrets in [first, third] {
            for noun in write(&secrets).put {
                catalog.put(noun);
            }
            assert!(of(&catalog).as_ref() == Some(&secrets));
        }
    }
}
