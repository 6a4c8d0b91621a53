//! Public ids and page keys: places in the store, mixed by a keyed permutation (one AES block), so that
//! they tell nothing, can't be guessed and need no table. Page keys are of one epoch of the store; ids are for ever.

use crate::Entropy;
use crate::epoch::Epoch;
use aes::Aes128;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicU32, Ordering};
use store::jobs::JobKind;
use store::records::{RecordId, RecordPlace};
use wire::Timestamp;

/// The keys of a deployment's ids. They stay for ever, since ids do: whoever knows them can tell in which order
/// records were made, and opens nothing by that.
#[derive(Clone, PartialEq, Eq)]
pub struct IdKeys {
    records: [u8; 16],
    pages: [u8; 16],
}

impl IdKeys {
    /// New ones.
    pub(crate) fn fresh(entropy: &dyn Entropy) -> Self {
        let [mut records, mut pages] = [[0; 16]; 2];
        entropy.fill(&mut records);
        entropy.fill(&mut pages);
        IdKeys { records, pages }
    }

    /// Those of a text that `to_text` gave.
    pub fn parse(text: &str) -> Option<Self> {
        let (records, pages) = text.split_once('.')?;
        let key = |text: &str| {
            let mut key = [0; 16];
            let length = URL_SAFE_NO_PAD.decode_slice(text, &mut key).ok()?;
            (length == 16).then_some(key)
        };
        Some(IdKeys {
            records: key(records)?,
            pages: key(pages)?,
        })
    }

    /// How the store remembers them.
    pub(crate) fn to_text(&self) -> String {
        let key = |key: &[u8; 16]| URL_SAFE_NO_PAD.encode(key);
        format!("{}.{}", key(&self.records), key(&self.pages))
    }
}

/// What mixes places into ids.
#[derive(Clone)]
pub struct IdCipher {
    records: Aes128,
    pages: Aes128,
    epoch: Epoch,
}

impl IdCipher {
    /// The cipher of a deployment's keys.
    pub fn new(keys: &IdKeys) -> Self {
        IdCipher {
            records: Aes128::new(&keys.records.into()),
            pages: Aes128::new(&keys.pages.into()),
            epoch: Epoch::default(),
        }
    }

    /// The same, with page keys of an epoch.
    pub(crate) fn in_epoch(self, epoch: Epoch) -> Self {
        IdCipher { epoch, ..self }
    }

    /// What page keys of a scope have in their second half: the lower bits are those of the epoch, too. Where there is none, it is
    /// the scope's alone.
    fn tie(&self, scope: &str) -> u64 {
        hash(scope) ^ u64::from(self.epoch.bits())
    }

    /// The public id of a record: 22 characters that are safe in an address.
    pub fn record(&self, id: RecordId) -> String {
        seal(&self.records, id.place.bits(), id.nonce)
    }

    /// The record that a public id names; `None` when it names none. The nonce is still to be compared.
    pub fn record_of(&self, text: &str) -> Option<RecordId> {
        let (place, nonce) = open(&self.records, text)?;
        let place = RecordPlace::of_number(place.cast_signed());
        place.number()?;
        Some(RecordId { place, nonce })
    }

    /// A page key: where a list of this scope goes on.
    pub(super) fn page_key(&self, scope: &str, position: u64) -> String {
        seal(&self.pages, position, self.tie(scope))
    }

    /// The position of a page key; `None` when it was made for another list, or by no one.
    pub(super) fn position_of(&self, scope: &str, key: &str) -> Option<u64> {
        let (position, found) = open(&self.pages, key)?;
        (found == self.tie(scope)).then_some(position)
    }

    /// Whether it is a page key of this list in another epoch of the store.
    pub(super) fn is_of_other_epoch(&self, scope: &str, key: &str) -> bool {
        let other = open(&self.pages, key).map(|(_, found)| found ^ self.tie(scope));
        other.is_some_and(|other| other != 0 && u32::try_from(other).is_ok())
    }

    /// A page key that says more than a number: the text, and a seal by which no other text passes.
    pub(super) fn long_page_key(&self, scope: &str, text: &str) -> String {
        let seal = seal(&self.pages, hash(text), self.tie(scope));
        format!("{}.{seal}", URL_SAFE_NO_PAD.encode(text))
    }

    /// The text of such a page key; `None` when it was made for another list, or by no one.
    pub(super) fn told_of(&self, scope: &str, key: &str) -> Option<String> {
        let (text, seal) = key.split_once('.')?;
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        (open(&self.pages, seal)? == (hash(&text), self.tie(scope))).then_some(text)
    }
}

fn seal(cipher: &Aes128, first: u64, second: u64) -> String {
    let mut block = [0; 16];
    block[..8].copy_from_slice(&first.to_be_bytes());
    block[8..].copy_from_slice(&second.to_be_bytes());
    let mut block = block.into();
    cipher.encrypt_block(&mut block);
    URL_SAFE_NO_PAD.encode(block)
}

fn open(cipher: &Aes128, text: &str) -> Option<(u64, u64)> {
    let mut block = [0; 16];
    // a text of another length is no id; the slice decoder checks that and the unused bits
    if URL_SAFE_NO_PAD.decode_slice(text, &mut block).ok()? != 16 {
        return None;
    }
    let mut block = block.into();
    cipher.decrypt_block(&mut block);
    let half = |at: usize| {
        block[at..at + 8]
            .iter()
            .fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte))
    };
    Some((half(0), half(8)))
}

/// The first 64 bits of a text's SHA-256.
pub(super) fn hash(text: &str) -> u64 {
    let digest = Sha256::digest(text);
    digest[..8]
        .iter()
        .fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
}

/// What stands before the id in a file's download address.
pub const FILES_PATH: &str = "/v1/files/";

/// Bits of an id that count, behind its time: lists compare no more of it. 52 bits of chance stand behind them.
pub(crate) const COUNTER_BITS: u32 = 22;

/// Counts the ids that this process made. It goes on from one millisecond to the next, since what an id is of is stamped a moment
/// later than the id.
static IDS_MADE: AtomicU32 = AtomicU32::new(0);

/// A new id of the catalog: a UUID of version 7 with a counter. Those that one process makes come in order, also within a
/// millisecond.
pub fn new_id(now: Timestamp, entropy: &dyn Entropy) -> String {
    let mut random = [0; 10];
    entropy.fill(&mut random);
    // the counter is cut where the version and the variant stand: 4 bits, 8, 6 and 4
    let [_, high, middle, low] = IDS_MADE.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    random[0] = (high >> 2) & 0xf;
    random[1] = (high << 6) | (middle >> 2);
    random[2] = ((middle << 4) | (low >> 4)) & 0x3f;
    random[3] = (low << 4) | (random[3] & 0xf);
    let millis = u64::try_from(now.millis()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random)
        .into_uuid()
        .to_string()
}

/// The id of the job that does what a dry run tried: each has one, so that none is done twice.
pub(super) fn id_of_tried(trial: &str) -> String {
    id_of_digest(Sha256::new().chain_update(format!("repair:{trial}")))
}

/// The id of the job that a form asks for: by whom, of which dataset and of which kind, the form's mark and what it says, and what
/// a file holds.
pub(super) fn id_of_form(
    (by, dataset, kind): (&str, &str, JobKind),
    (mark, asked): (&str, &str),
    content: &[u8],
) -> String {
    let kind = kind.as_str();
    let form = format!("form:{by} {dataset} {kind} {mark} {asked} ");
    id_of_digest(Sha256::new().chain_update(form).chain_update(content))
}

fn id_of_digest(of: Sha256) -> String {
    let digest = of.finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    let id = uuid::Builder::from_custom_bytes(bytes);
    id.into_uuid().to_string()
}

/// A new random part of a record's id.
pub(super) fn new_nonce(entropy: &dyn Entropy) -> u64 {
    let mut bytes = [0; 8];
    entropy.fill(&mut bytes);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::CountingEntropy;

    const KEYS: &str = "3V6hdPzTiD8vrB65KImRMg.ebyMtBeuU1JvEgsiNri2Jw";

    fn cipher_of(keys: &str) -> IdCipher {
        IdCipher::new(&IdKeys::parse(keys).unwrap())
    }

    #[test]
    fn ids_of_one_moment_come_in_order() {
        let entropy = CountingEntropy::default();
        let now = Timestamp::from_millis(1_770_000_000_123);
        let ids: Vec<String> = (0..5_000).map(|_| new_id(now, &entropy)).collect();
        assert!(ids.is_sorted_by(|one, other| one < other));
    }

    #[test]
    fn an_id_is_the_same_for_ever() {
        let keys = IdKeys::parse(KEYS).unwrap();
        assert_eq!(keys.to_text(), KEYS);
        let place = RecordPlace {
            dataset: 7,
            sequence: 12,
        };
        let id = IdCipher::new(&keys).record(RecordId { place, nonce: 99 });
        // AES-128 of the place and the nonce by another hand
        assert_eq!(id, "IZqQ_Loq9P8GuW9HbugAsA");
        assert!(IdKeys::fresh(&CountingEntropy::default()) != keys);
        for wrong in ["", ".", "secret", "AAAA.AAAA"] {
            assert!(IdKeys::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_record_id_comes_back_and_a_changed_one_names_another_place() {
        let cipher = cipher_of(KEYS);
        let id = RecordId {
            place: RecordPlace {
                dataset: 7,
                sequence: 12,
            },
            nonce: 99,
        };
        let text = cipher.record(id);
        assert_eq!(text.len(), 22);
        assert_eq!(cipher.record_of(&text), Some(id));
        let other = "NMZkuV42HwlWx58KRKS2EA.Y1Yq9KAB1ukY_AezkY8CLg";
        assert_ne!(cipher_of(other).record_of(&text), Some(id));
        for wrong in ["", "a", "AAAAAAAAAAAAAAAAAAAAAAA", "not an id, not at all!"] {
            assert_eq!(
                cipher.record_of(wrong).filter(|found| *found == id),
                None,
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_long_page_key_works_for_its_own_list_only_and_as_it_was_made() {
        let cipher = cipher_of(KEYS);
        let key = cipher.long_page_key("search a", "[41]");
        assert_eq!(cipher.told_of("search a", &key).as_deref(), Some("[41]"));
        assert_eq!(cipher.told_of("search b", &key), None);
        let (_, seal) = key.split_once('.').unwrap();
        let other = format!("{}.{seal}", URL_SAFE_NO_PAD.encode("[42]"));
        assert_eq!(cipher.told_of("search a", &other), None);
        assert_eq!(
            cipher.told_of("search a", &cipher.page_key("search a", 41)),
            None
        );
    }

    #[test]
    fn a_page_key_works_in_its_own_epoch_only_and_an_id_in_all() {
        let mut catalog = store::catalog::Catalog::default();
        let entropy = CountingEntropy::default();
        let mut of_new_epoch = || {
            catalog.put(crate::new_epoch(&entropy));
            cipher_of(KEYS).in_epoch(Epoch::of(&catalog).unwrap())
        };
        let all = [cipher_of(KEYS), of_new_epoch(), of_new_epoch()];
        let id = RecordId {
            place: RecordPlace {
                dataset: 7,
                sequence: 12,
            },
            nonce: 99,
        };
        for (number, one) in all.iter().enumerate() {
            let (key, long) = (one.page_key("a", 41), one.long_page_key("a", "[41]"));
            for (other_number, other) in all.iter().enumerate() {
                let is_same = number == other_number;
                assert_eq!(other.position_of("a", &key), is_same.then_some(41));
                let told = is_same.then_some("[41]");
                assert_eq!(other.told_of("a", &long).as_deref(), told);
                assert_eq!(other.is_of_other_epoch("a", &key), !is_same);
                assert!(!other.is_of_other_epoch("b", &key));
                assert_eq!(other.record_of(&one.record(id)), Some(id));
            }
        }
        assert!(!all[1].is_of_other_epoch("a", "nothing of ours"));
        // AES-128 of 41 and the beginning of the SHA-256 of `a` by another hand
        assert_eq!(all[0].page_key("a", 41), "kgsYvoPLiN_0_3MHou78EA");
    }

    #[test]
    fn the_id_of_a_form_is_of_all_that_it_says_and_of_the_kind_of_its_job() {
        let of = |kind, mark| id_of_form(("ada", "notes", kind), (mark, "{}"), b"Text");
        let id = of(JobKind::Import, "mark");
        assert_eq!(of(JobKind::Import, "mark"), id);
        assert_ne!(of(JobKind::Export, "mark"), id);
        assert_ne!(of(JobKind::Import, "another"), id);
    }

    #[test]
    fn a_page_key_works_for_its_own_list_only() {
        let cipher = cipher_of(KEYS);
        let key = cipher.page_key("records of 7", 41);
        assert_eq!(cipher.position_of("records of 7", &key), Some(41));
        assert_eq!(cipher.position_of("records of 8", &key), None);
        assert_eq!(
            cipher.position_of(
                "records of 7",
                &cipher.record(RecordId {
                    place: RecordPlace {
                        dataset: 7,
                        sequence: 41
                    },
                    nonce: 0,
                })
            ),
            None
        );
    }
}
