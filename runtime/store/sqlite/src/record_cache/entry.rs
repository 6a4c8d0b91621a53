//! A record as it lies in a ring.

use super::Name;
use store::records::{RecordId, RecordPlace, StoredRecord};

/// The fixed part of an entry.
const HEAD: usize = 64;
/// The length of a text that is not there.
const NONE: u32 = u32::MAX;

/// Bytes that a record takes.
pub(super) fn length(name: Name<'_>, record: &StoredRecord) -> usize {
    let texts = texts(name, record);
    HEAD + texts.iter().flatten().map(|text| text.len()).sum::<usize>()
}

fn texts<'r>(name: Name<'r>, record: &'r StoredRecord) -> [Option<&'r str>; 4] {
    let StoredRecord {
        errors,
        hidden,
        body,
        ..
    } = record;
    [
        Some(name.key),
        Some(body),
        errors.as_deref(),
        hidden.as_deref(),
    ]
}

/// An entry as it lies in the ring: numbers, then key, body and the texts that may be missing.
pub(super) struct CachedRecord<'r> {
    numbers: [u64; 4],
    dataset: u32,
    key: &'r [u8],
    body: &'r [u8],
    errors: Option<&'r [u8]>,
    hidden: Option<&'r [u8]>,
}

/// Writes a record where it fits.
pub(super) fn write(out: &mut [u8], name: Name<'_>, record: &StoredRecord) {
    let id = record.id;
    let (version, schema_version) = (record.version, record.schema_version);
    let (head, mut rest) = out.split_at_mut(HEAD);
    let (numbers, lengths) = head.split_at_mut(4 * size_of::<u64>());
    let all = [
        id.place.sequence,
        id.nonce,
        version.cast_unsigned(),
        schema_version.cast_unsigned(),
    ];
    for (out, number) in numbers.as_chunks_mut().0.iter_mut().zip(all) {
        *out = number.to_ne_bytes();
    }
    let texts = texts(name, record);
    let all = texts.map(|text| text.map_or(NONE, |text| u32::try_from(text.len()).unwrap_or(NONE)));
    let all = std::iter::once(name.dataset).chain(all);
    for (out, length) in lengths.as_chunks_mut().0.iter_mut().zip(all) {
        *out = length.to_ne_bytes();
    }
    for text in texts.into_iter().flatten() {
        let (out, behind) = rest.split_at_mut(text.len());
        out.copy_from_slice(text.as_bytes());
        rest = behind;
    }
}

impl<'r> CachedRecord<'r> {
    /// The entry at the start of `bytes`.
    pub(super) fn read(bytes: &'r [u8]) -> Option<Self> {
        let (head, mut rest) = bytes.split_at_checked(HEAD)?;
        let (numbers, lengths) = head.split_at_checked(4 * size_of::<u64>())?;
        let mut all = [0; 4];
        for (number, bytes) in all.iter_mut().zip(numbers.as_chunks().0) {
            *number = u64::from_ne_bytes(*bytes);
        }
        let mut lengths = lengths
            .as_chunks()
            .0
            .iter()
            .copied()
            .map(u32::from_ne_bytes);
        let dataset = lengths.next()?;
        let mut text = || {
            let length = lengths.next().filter(|length| *length != NONE)?;
            let (text, behind) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            rest = behind;
            Some(text)
        };
        Some(CachedRecord {
            numbers: all,
            dataset,
            key: text()?,
            body: text()?,
            errors: text(),
            hidden: text(),
        })
    }

    /// Whether it is the one of that name.
    pub(super) fn is_of(&self, name: Name<'_>) -> bool {
        self.dataset == name.dataset && self.key == name.key.as_bytes()
    }

    /// The record.
    pub(super) fn record(&self) -> Option<StoredRecord> {
        let [sequence, nonce, version, schema_version] = self.numbers;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let place = RecordPlace {
            dataset: self.dataset,
            sequence,
        };
        Some(StoredRecord {
            id: RecordId { place, nonce },
            version: version.cast_signed(),
            schema_version: schema_version.cast_signed(),
            deleted: false,
            errors: self.errors.and_then(text),
            hidden: self.hidden.and_then(text),
            body: text(self.body)?,
        })
    }
}
