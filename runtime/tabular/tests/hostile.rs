//! Files that were spoiled, by chance or on purpose: packed ones and Excel files with bytes that were turned, lost or put in,
//! inside of what is packed too. Each is read to its end or refused with a reason, and none takes memory for what it claims.

#[path = "../fuzz/body.rs"]
mod body;
mod support;

use proptest::prelude::*;
use proptest::sample::Index;
use rust_xlsxwriter::{ExcelDateTime, Format as CellFormat, Formula, Workbook};
use std::fmt::Write as _;
use std::io::{Cursor, Read as _, Write as _};
use std::sync::LazyLock;
use support::rows;
use tabular::{Options, Packing, Reader, Settings};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// What this process may have had of memory, all tests at once: some rows of 16 MiB and a window of zstd, and far less than
/// these files can say that they unpack to.
const MEMORY_MAX: usize = 512 << 20;

/// How packed files begin.
const GZIP: &[u8] = &[0x1F, 0x8B];
const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];
/// Bytes that mean something in packed files.
const OF_PACKED: &[&[u8]] = &[
    GZIP,
    ZSTD,
    &[0x50, 0x2A, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0xFF],
    &[0xFF; 8],
    &[0; 8],
];
/// Texts that mean something in the parts of an Excel file.
const OF_SHEETS: &[&[u8]] = &[
    b"<",
    b">",
    b"\"",
    b"</c>",
    b"</row>",
    b"<v>",
    b"<v>4294967295</v>",
    b"<v>1e999</v>",
    b"<is><t>",
    b"t=\"s\" ",
    b"s=\"999999999\" ",
    b"r=\"XFD1048576\" ",
    b"r=\"ZZZZZZZ99999999999\" ",
    b"r=\"0\" ",
    b"uniqueCount=\"4294967295\" ",
    b"<!-- ",
    b"<![CDATA[",
    b"&#x0;",
    b"&unknown;",
    b"\x00",
    b"\xFF\xFE",
    b"<dimension ref=\"A1:XFD1048576\"/>",
    b"<mergeCell ref=\"A1:XFD1048576\"/>",
];

/// What befalls bytes.
#[derive(Clone, Debug)]
enum Harm {
    /// Bits of one are others.
    Turned(Index, u8),
    /// All from here on are missing.
    Cut(Index),
    /// So many are missing.
    Lost(Index, usize),
    /// These stand between the others.
    Added(Index, Vec<u8>),
}

impl Harm {
    fn befall(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        match self {
            Harm::Turned(at, bits) => bytes[at.index(length)] ^= bits,
            Harm::Cut(at) => bytes.truncate(at.index(length)),
            Harm::Lost(at, count) => {
                let at = at.index(length);
                drop(bytes.drain(at..length.min(at + count)));
            }
            Harm::Added(at, more) => {
                let at = at.index(length);
                drop(bytes.splice(at..at, more.iter().copied()));
            }
        }
    }
}

fn harm(meant: &'static [&'static [u8]]) -> impl Strategy<Value = Harm> {
    let added = prop_oneof![
        prop::sample::select(meant).prop_map(<[u8]>::to_vec),
        prop::collection::vec(any::<u8>(), 1..9),
    ];
    prop_oneof![
        (any::<Index>(), 1..=u8::MAX).prop_map(|(at, bits)| Harm::Turned(at, bits)),
        any::<Index>().prop_map(Harm::Cut),
        (any::<Index>(), 1_usize..40).prop_map(|(at, count)| Harm::Lost(at, count)),
        (any::<Index>(), added).prop_map(|(at, more)| Harm::Added(at, more)),
    ]
}

static TEXT: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::from("No,Name,Remark\n");
    for number in 0..300_u32 {
        let remark = number.wrapping_mul(2_654_435_761);
        writeln!(text, "{number},name of {number},{remark:x}").unwrap();
    }
    text
});

/// The text, packed, and how such files begin.
static PACKED: LazyLock<[(Vec<u8>, &[u8]); 2]> = LazyLock::new(|| {
    let packed = |packing: Packing| packing.piece(TEXT.as_bytes()).unwrap();
    [(packed(Packing::Gzip), GZIP), (packed(Packing::Zstd), ZSTD)]
});

/// An Excel file with cells of each kind.
static BOOK: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut book = Workbook::new();
    for name in ["First", "Second"] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        sheet
            .write_row(0, 0, ["No", "Name", "Flag", "Day"])
            .unwrap();
        let day = ExcelDateTime::parse_from_str("2020-02-29").unwrap();
        let format = CellFormat::new().set_num_format("yyyy-mm-dd");
        for row in 1..20_u32 {
            sheet.write(row, 0, row).unwrap();
            sheet.write(row, 1, format!("name of {row}")).unwrap();
            sheet.write(row, 2, row.is_multiple_of(2)).unwrap();
            sheet.write_with_format(row, 3, &day, &format).unwrap();
        }
        let sum = Formula::new("=1+1").set_result("2");
        sheet.write_formula(20, 0, sum).unwrap();
    }
    book.save_to_buffer().unwrap()
});

/// Its parts by name.
static PARTS: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let mut archive = ZipArchive::new(Cursor::new(BOOK.as_slice())).unwrap();
    let mut parts = Vec::new();
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).unwrap();
        let name = part.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).unwrap();
        parts.push((name, bytes));
    }
    parts
});

/// The Excel file with one part in place of its own.
fn with_part(own: usize, bytes: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (index, (name, whole)) in PARTS.iter().enumerate() {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        writer.start_file(name, stored).unwrap();
        let content = if index == own {
            bytes
        } else {
            whole.as_slice()
        };
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Reads a file, and proposes a schema from it; of both nothing is said.
fn withstand(bytes: &[u8]) {
    body::withstand(&[&b"00000000"[..], bytes].concat());
}

/// How many rows a file has, or why it can't be read.
fn outcome(bytes: &[u8]) -> Result<usize, String> {
    let told = |error: std::io::Error| error.to_string();
    let source = Cursor::new(bytes.to_vec());
    let mut reader = Reader::open(source, Options::default()).map_err(told)?;
    let mut count = 0;
    while reader.next().map_err(told)?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// Whether a file is read, or refused for a reason that can be told.
fn is_told(outcome: &Result<usize, String>) -> bool {
    let is_reason = |why: &String| !why.trim().is_empty() && why.len() < 10_000;
    outcome.as_ref().err().is_none_or(is_reason)
}

/// Whether the process never had more memory than it may; so where the system does not tell.
fn is_frugal() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = most.and_then(|most| most.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.is_none_or(|kilobytes| kilobytes << 10 < MEMORY_MAX)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_packed_file_that_was_spoiled_is_read_as_it_was_or_refused(
        is_zstd in any::<bool>(), harm in harm(OF_PACKED),
    ) {
        let (packed, magic) = &PACKED[usize::from(is_zstd)];
        let mut bytes = packed.clone();
        harm.befall(&mut bytes);
        let found = outcome(&bytes);
        prop_assert!(is_told(&found), "{:?}", found);
        // without its first bytes it is no packed file but a text
        if bytes.starts_with(magic) && found.is_ok() {
            let options = Options::default();
            prop_assert_eq!(rows(&bytes, options, 7), rows(TEXT.as_bytes(), options, usize::MAX));
        }
        body::withstand_rows(&bytes, Options::default(), Settings::default());
        prop_assert!(is_frugal());
    }

    #[test]
    fn a_packed_file_that_was_spoiled_often_is_withstood(
        is_zstd in any::<bool>(), harms in prop::collection::vec(harm(OF_PACKED), 2..6),
    ) {
        let mut bytes = PACKED[usize::from(is_zstd)].0.clone();
        for harm in &harms {
            harm.befall(&mut bytes);
        }
        let found = outcome(&bytes);
        prop_assert!(is_told(&found), "{:?}", found);
        body::withstand_rows(&bytes, Options::default(), Settings::default());
        prop_assert!(is_frugal());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_excel_file_that_was_spoiled_is_withstood(
        harms in prop::collection::vec(harm(OF_PACKED), 1..5),
    ) {
        let mut bytes = BOOK.clone();
        for harm in &harms {
            harm.befall(&mut bytes);
        }
        let found = outcome(&bytes);
        prop_assert!(is_told(&found), "{:?}", found);
        withstand(&bytes);
        prop_assert!(is_frugal());
    }

    #[test]
    fn an_excel_file_whose_parts_were_spoiled_says_that_it_is_that_file(
        part in any::<Index>(), harms in prop::collection::vec(harm(OF_SHEETS), 1..5),
    ) {
        let own = part.index(PARTS.len());
        let mut content = PARTS[own].1.clone();
        for harm in &harms {
            harm.befall(&mut content);
        }
        let bytes = with_part(own, &content);
        let found = outcome(&bytes);
        prop_assert!(is_told(&found), "{:?}", found);
        if let Err(why) = &found {
            prop_assert!(why.contains("the Excel file"), "{}", why);
        }
        withstand(&bytes);
        prop_assert!(is_frugal());
    }
}

#[test]
fn what_was_not_spoiled_is_read() {
    let whole = outcome(TEXT.as_bytes());
    assert_eq!(whole, Ok(301));
    withstand(TEXT.as_bytes());
    for (packed, magic) in PACKED.iter() {
        assert!(packed.starts_with(magic));
        assert_eq!(outcome(packed), whole);
    }
    assert_eq!(outcome(&BOOK), Ok(21));
    assert_eq!(outcome(&with_part(0, &PARTS[0].1)), Ok(21));
}

#[test]
fn a_row_that_unpacks_to_more_than_a_row_may_have_takes_no_more_than_that() {
    let piece = vec![b'a'; 4 << 20];
    for packing in [Packing::Gzip, Packing::Zstd] {
        let packed = packing.piece(&piece).unwrap().repeat(6);
        assert!(packed.len() < 1 << 20, "{}", packed.len());
        let mut reader = Reader::open(Cursor::new(packed), Options::default()).unwrap();
        let row = reader.next().unwrap().expect("a row");
        assert!(row.content.is_err(), "it is too long");
        assert!(reader.next().unwrap().is_none());
        assert!(is_frugal());
    }
}
