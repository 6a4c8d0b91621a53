//! Checksums of rows: a CRC-32 over every column of a record or of an entry of the change log, kept in the row
//! itself, written with it and compared at every read from the disk. It finds what a disk does to bytes; it
//! is no secret and holds nobody off who may write the file. How rows are read and written is told elsewhere.

/// The columns of a record, as they are written or as they were found.
pub(super) struct RecordColumns<'r> {
    pub(super) place: i64,
    pub(super) nonce: i64,
    pub(super) version: i64,
    pub(super) schema_version: i64,
    pub(super) deleted: bool,
    pub(super) last_change: i64,
    pub(super) primary_key: Option<&'r str>,
    pub(super) errors: Option<&'r str>,
    pub(super) hidden: Option<&'r str>,
    pub(super) body: &'r str,
}

impl RecordColumns<'_> {
    pub(super) fn checksum(&self) -> i64 {
        let numbers = [
            self.place,
            self.nonce,
            self.version,
            self.schema_version,
            i64::from(self.deleted),
            self.last_change,
        ];
        let texts = [self.primary_key, self.errors, self.hidden, Some(self.body)];
        checksum(numbers, texts)
    }
}

/// The columns of an entry of the change log.
#[derive(Clone, Copy)]
pub(super) struct EntryColumns<'r> {
    pub(super) number: i64,
    pub(super) place: i64,
    pub(super) nonce: i64,
    pub(super) action: &'r str,
    pub(super) version: i64,
    pub(super) schema_version: i64,
    pub(super) at: i64,
    pub(super) actor: &'r str,
    pub(super) prior: Option<i64>,
    pub(super) before: Option<&'r str>,
    pub(super) after: Option<&'r str>,
    pub(super) errors: Option<&'r str>,
    pub(super) hidden: Option<&'r str>,
}

impl EntryColumns<'_> {
    pub(super) fn checksum(&self) -> i64 {
        let numbers = [
            self.number,
            self.place,
            self.nonce,
            self.version,
            self.schema_version,
            self.at,
            // entries have numbers from 1
            self.prior.unwrap_or(0),
        ];
        let (action, actor) = (Some(self.action), Some(self.actor));
        let texts = [
            action,
            actor,
            self.before,
            self.after,
            self.errors,
            self.hidden,
        ];
        checksum(numbers, texts)
    }
}

/// The checksum of a text that belongs to some numbers.
pub(super) fn text_checksum(numbers: [i64; 2], text: &str) -> i64 {
    checksum(numbers, [Some(text)])
}

/// Numbers and lengths come first, so that no two rows are the same bytes.
fn checksum<const N: usize, const T: usize>(numbers: [i64; N], texts: [Option<&str>; T]) -> i64 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(numbers.map(i64::to_le_bytes).as_flattened());
    // a text that is not there has the length that no text has
    let length = |text: Option<&str>| text.map_or(u64::MAX, |text| text.len() as u64);
    let lengths = texts.map(|text| length(text).to_le_bytes());
    sum.update(lengths.as_flattened());
    for text in texts.into_iter().flatten() {
        sum.update(text.as_bytes());
    }
    // with its sign, so that it takes four bytes of the row and not six
    i64::from(sum.finalize().cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: RecordColumns<'_> = RecordColumns {
        place: 1 << 40 | 7,
        nonce: -3,
        version: 2,
        schema_version: 1,
        deleted: false,
        last_change: 9,
        primary_key: Some("k"),
        errors: None,
        hidden: None,
        body: r#"{"K":"k"}"#,
    };

    #[test]
    fn every_column_counts_and_so_does_where_one_ends() {
        let others = [
            RecordColumns { place: 8, ..RECORD },
            RecordColumns { nonce: 3, ..RECORD },
            RecordColumns {
                version: 3,
                ..RECORD
            },
            RecordColumns {
                schema_version: 2,
                ..RECORD
            },
            RecordColumns {
                deleted: true,
                ..RECORD
            },
            RecordColumns {
                last_change: 8,
                ..RECORD
            },
            RecordColumns {
                primary_key: None,
                ..RECORD
            },
            RecordColumns {
                primary_key: Some(""),
                errors: Some("k"),
                ..RECORD
            },
            RecordColumns {
                primary_key: Some("k{"),
                body: r#""K":"k"}"#,
                ..RECORD
            },
            RecordColumns {
                hidden: Some(""),
                ..RECORD
            },
        ];
        for (index, other) in others.iter().enumerate() {
            assert_ne!(other.checksum(), RECORD.checksum(), "{index}");
        }
    }

    #[test]
    fn a_checksum_on_disk_stays_what_it_was() {
        // worked out by another program
        assert_eq!(RECORD.checksum(), 15_144_572);
    }
}
