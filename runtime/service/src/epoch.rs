//! Which epoch a store is in: another one from each restore on. What came behind the backup is gone then, and numbers are given
//! again, so page keys, positions of changes and ids of letters are made of the epoch, too: none of before is taken for one of
//! now. A store that was never restored is in none.

use crate::Entropy;
use store::StoreError;
use store::catalog::{Catalog, Noun, Setting};

/// The setting that tells the epoch.
const EPOCH: &str = "epoch";

/// An epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Epoch(u32);

impl Epoch {
    /// That of a store.
    pub(crate) fn of(catalog: &Catalog) -> Result<Self, StoreError> {
        let Some(setting) = catalog.settings.get(EPOCH) else {
            return Ok(Epoch::default());
        };
        let read = u32::from_str_radix(&setting.value, 16);
        read.map(Epoch)
            .map_err(|_| StoreError::Damaged("the store's epoch can't be read".to_owned()))
    }

    /// As it is mixed into what is made of it: nothing where there is none.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }
}

/// What begins a new epoch of a store that is restored, once it is in the catalog.
pub fn new_epoch(entropy: &dyn Entropy) -> Noun {
    let mut bytes = [0; 4];
    entropy.fill(&mut bytes);
    // nothing is that of a store which was never restored
    let epoch = u32::from_be_bytes(bytes).max(1);
    let (id, value) = (EPOCH.to_owned(), format!("{epoch:08x}"));
    Setting { id, value }.into()
}

/// Whether the setting of this id tells the epoch.
pub fn is_epoch(setting: &str) -> bool {
    setting == EPOCH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::CountingEntropy;

    #[test]
    fn a_store_is_in_no_epoch_until_one_begins_and_each_is_another() {
        let entropy = CountingEntropy::default();
        let mut catalog = Catalog::default();
        let epoch = |catalog: &Catalog| Epoch::of(catalog).unwrap().bits();
        assert_eq!(epoch(&catalog), 0);
        catalog.put(new_epoch(&entropy));
        let first = epoch(&catalog);
        catalog.put(new_epoch(&entropy));
        assert_eq!((first, epoch(&catalog)), (0x0001_0203, 0x0405_0607));
        let (id, value) = (EPOCH.to_owned(), "soon".to_owned());
        catalog.put(Setting { id, value }.into());
        assert!(Epoch::of(&catalog).is_err());
    }
}
