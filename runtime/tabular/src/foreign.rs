//! Files that no rows can be read out of, known by their first bytes or by bytes that no text has: what they are, and what is to be
//! sent. As text they would be rows of scraps. It reads nothing but what it is given.

use std::io::{Error, ErrorKind};

/// How many bytes of a file tell what it is: as far as those of a tar do.
pub(crate) const HEAD_BYTES: u64 = 512;

/// What files are that begin so.
#[derive(Clone, Copy)]
enum Kind {
    /// As gzip and zstd are, of which a packed file had one within.
    Twice,
    /// Packed in a way that is not read, by its name.
    Packed(&'static str),
    /// Of several files, by its name.
    Archive(&'static str),
    /// As exports are written, and nothing is read.
    Parquet,
    Other(&'static str),
}

/// Which bytes are where in the files of a kind.
static KINDS: [(usize, &[u8], Kind); 17] = [
    (0, b"\x1F\x8B", Kind::Twice),
    (0, b"\x28\xB5\x2F\xFD", Kind::Twice),
    // with a block, and without any
    (4, b"1AY&SY", Kind::Packed("bzip2")),
    (4, b"\x17\x72\x45\x38\x50\x90", Kind::Packed("bzip2")),
    (0, b"\xFD7zXZ\0", Kind::Packed("xz")),
    (0, b"7z\xBC\xAF\x27\x1C", Kind::Archive("7z")),
    (0, b"Rar!\x1A\x07", Kind::Archive("rar")),
    (0, b"PK\x05\x06", Kind::Archive("zip")),
    (257, b"ustar", Kind::Archive("tar")),
    (0, b"PAR1", Kind::Parquet),
    (0, b"SQLite format 3\0", Kind::Other("a SQLite database")),
    (0, b"\x7FELF", Kind::Other("a program")),
    (0, b"\x89PNG\r\n\x1A\n", Kind::Other("a picture")),
    (0, b"\xFF\xD8\xFF", Kind::Other("a picture")),
    (0, b"GIF87a", Kind::Other("a picture")),
    (0, b"GIF89a", Kind::Other("a picture")),
    (0, b"%PDF-", Kind::Other("a PDF document")),
];

/// Refuses a file that begins like this, once it is unpacked, where no rows can be read out of it.
///
/// # Errors
/// What it is, and what to do.
pub(crate) fn refuse(head: &[u8]) -> Result<(), Error> {
    let has = |(at, bytes, _): &&(usize, &[u8], Kind)| {
        head.get(*at..).is_some_and(|rest| rest.starts_with(bytes))
    };
    let Some((_, _, kind)) = KINDS.iter().find(has) else {
        return Ok(());
    };
    Err(refused(match kind {
        Kind::Twice => "it is packed twice; unpack it once".to_owned(),
        Kind::Packed(how) => {
            format!("it is packed in another way ({how}); unpack it, or pack it with gzip or zstd")
        }
        Kind::Archive(which) => {
            format!("it is an archive ({which}); unpack it, and send each file by itself")
        }
        Kind::Parquet => {
            "a Parquet file is written, not read; make it CSV, NDJSON or Excel".to_owned()
        }
        Kind::Other(what) => {
            format!("it is {what}, and no table; make it CSV, NDJSON or Excel")
        }
    }))
}

/// Refuses what is no text, as UTF-8, in whatever encoding it was. A value may have any character but U+0000, so that only where
/// the encoding `is_doubtful` others tell.
///
/// # Errors
/// That it is none.
pub(crate) fn require_text(sample: &[u8], is_doubtful: bool) -> Result<(), Error> {
    // but what ends lines and files, stands between cells and records, or is a blank
    let is_of_no_text = |byte: &u8| matches!(byte, 0x01..=0x08 | 0x0E..=0x19 | 0x1B);
    let is_text = memchr::memchr(0, sample).is_none();
    if is_text && !(is_doubtful && sample.iter().any(is_of_no_text)) {
        return Ok(());
    }
    let told = "it is no text, for it has characters that none has, such as U+0000; make it CSV, NDJSON or Excel, or say what its text \
                is encoded in";
    Err(refused(told.to_owned()))
}

/// Refuses objects of JSON that stand over several lines, as programs write them for people, where each line is a row: all of them would
/// be scraps.
///
/// # Errors
/// That they do.
pub(crate) fn require_object_a_line(sample: &[u8]) -> Result<(), Error> {
    let lines = sample.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty());
    let is_member = |line: &[u8]| line.starts_with(b"\"");
    if lines.next() == Some(&b"{"[..]) && lines.next().is_some_and(is_member) {
        let told = "it is JSON over several lines; write each record on a line of its own, or all of them as one array";
        return Err(refused(told.to_owned()));
    }
    Ok(())
}

fn refused(told: String) -> Error {
    Error::new(ErrorKind::InvalidData, told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_over_several_lines_is_told_and_a_row_that_is_cut_off_is_a_row() {
        for (text, is_refused) in [
            ("{\n  \"A\": 1\n}\n{\n  \"A\": 2\n}\n", true),
            ("\n{\r\n\r\n\t\"items\": [\r\n", true),
            ("{\n{\"A\":1}\n", false),
            ("{\"A\":1}\n{\n\"A\"", false),
            ("{", false),
            ("{}\n", false),
            ("", false),
        ] {
            let refused = require_object_a_line(text.as_bytes());
            assert_eq!(refused.is_err(), is_refused, "{text}");
        }
    }

    #[test]
    fn a_file_of_another_kind_is_told_and_what_to_send() {
        let tar = [&b"in.csv"[..], &[0; 251], b"ustar\x0000"].concat();
        for (head, told) in [
            (&b"\x1F\x8B\x08"[..], "it is packed twice; unpack it once"),
            (b"BZh91AY&SY\0", "packed in another way (bzip2)"),
            (b"BZh9\x17\x72\x45\x38\x50\x90", "(bzip2)"),
            (b"\xFD7zXZ\0", "packed in another way (xz)"),
            (&tar[..], "it is an archive (tar); unpack it"),
            (b"PAR1\x15\x04", "a Parquet file is written, not read"),
            (
                b"SQLite format 3\0\x10",
                "it is a SQLite database, and no table",
            ),
            (b"\x7FELF\x02", "a program"),
            (b"\x89PNG\r\n\x1A\n\0", "a picture"),
            (b"%PDF-1.7\n", "a PDF document"),
        ] {
            let why = refuse(head).unwrap_err().to_string();
            assert!(why.contains(told), "{why}");
        }
        for text in [&b""[..], b"K,Name\n", b"BZh9,1AY\n", b"7z,b\n", b"%,b\n"] {
            assert!(refuse(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn a_text_has_no_u_0000_and_other_signs_of_control_only_where_its_encoding_is_sure() {
        for (sample, is_doubtful, is_text) in [
            (&b"a,b\t\r\n\x0B\x0C\x1A\x1F"[..], true, true),
            (b"a\x01b", false, true),
            (b"a\x01b", true, false),
            (b"a\x1Bb", true, false),
            (b"a\0b", false, false),
            (b"", true, true),
        ] {
            let found = require_text(sample, is_doubtful).is_ok();
            assert_eq!(found, is_text, "{sample:?} {is_doubtful}");
        }
    }
}
