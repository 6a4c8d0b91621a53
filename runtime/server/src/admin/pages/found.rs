//! What an import's file was read as, as pages show it, and what is chosen otherwise.

use super::numbers::named_first;
use super::texts::{Texts, filled};
use service::manage::{DateReading, FoundColumn, FoundFile, ImportResult, Packing};
use tabular::ID_COLUMN;

/// Columns that are named, of those that are left out.
const NAMED: usize = 5;

/// What a file was read as.
pub(super) struct FoundShown {
    /// Its format, packing, encoding, delimiter, quote and header, in words.
    pub(super) facts: Vec<String>,
    /// Each of them, where nothing else is chosen.
    pub(super) format: String,
    pub(super) encoding: String,
    pub(super) delimiter: String,
    pub(super) quote: String,
    pub(super) header: String,
    pub(super) sheet: String,
    pub(super) columns: Vec<ColumnShown>,
    /// Which of them are for no field, in words; nothing where each is for one.
    pub(super) left_out: Option<String>,
}

/// A column with a name.
pub(super) struct ColumnShown {
    pub(super) name: String,
    /// The field that it is for; empty where it is for none.
    pub(super) field: String,
    /// What its choice is called in a form, where one line can say it.
    pub(super) choice: Option<String>,
}

impl FoundShown {
    /// What was found, with what is said of its columns beside it.
    pub(super) fn of(found: &FoundFile, said: &str, texts: &Texts) -> Self {
        let format = format_named(found).to_owned();
        let encoding = found.encoding.as_deref().unwrap_or_default();
        let encoding = encoding.to_uppercase();
        let (header, names) = match found.header {
            Some(true) => (texts.yes, texts.found_file.header),
            Some(false) => (texts.no, texts.found_file.in_order),
            None => ("", ""),
        };
        let delimiter = match found.delimiter {
            Some('\t') => "tab".to_owned(),
            other => other.map(String::from).unwrap_or_default(),
        };
        let parting = match &*delimiter {
            "" => String::new(),
            delimiter => format!("{} {delimiter}", texts.file_delimiter),
        };
        let quote = found.quote.map(String::from).unwrap_or_default();
        // the usual one says nothing
        let quoting = match &*quote {
            "" | "\"" => String::new(),
            quote => format!("{} {quote}", texts.found_file.quote),
        };
        let sheet = found.sheet.as_deref().unwrap_or_default();
        let sheet_told = match found.sheet_count {
            Some(count @ 2..) => (texts.found_file.sheet_of)(sheet, count),
            _ => sheet.to_owned(),
        };
        let packing = match found.packing {
            Some(Packing::Gzip) => (texts.found_file.packed)("gzip"),
            Some(Packing::Zstd) => (texts.found_file.packed)("zstd"),
            Some(Packing::None) | None => String::new(),
        };
        let facts = [
            &*format,
            &*packing,
            &*sheet_told,
            &*encoding,
            &*parting,
            &*quoting,
            names,
        ];
        let facts = facts.into_iter().filter(|fact| !fact.is_empty());
        let found_here = |it: &str| match it {
            "" => texts.found_by_itself.to_owned(),
            it => (texts.found_file.by_itself)(it),
        };
        let columns = columns(found, said);
        FoundShown {
            facts: facts.map(str::to_owned).collect(),
            left_out: left_out(&columns, texts),
            columns,
            format: found_here(&format),
            encoding: found_here(&encoding),
            delimiter: found_here(&delimiter),
            quote: found_here(&quote),
            header: found_here(header),
            sheet: found_here(sheet),
        }
    }
}

/// Whether rows of a file say of which records they are.
pub(super) fn has_ids(found: &FoundFile) -> bool {
    found.columns.iter().any(is_of_ids)
}

fn is_of_ids(column: &FoundColumn) -> bool {
    column.column == ID_COLUMN && column.field.as_deref() == Some(ID_COLUMN)
}

/// What is to be checked of how a file was read.
pub(super) fn file_notices(result: &ImportResult, texts: &Texts) -> Vec<String> {
    let own = &texts.found_file;
    let guessed = result.found.as_ref().filter(|it| it.is_encoding_guessed);
    let encoding = guessed.and_then(|it| it.encoding.as_deref());
    let encoding = encoding.map(|encoding| {
        let samples = result.encoding_samples.iter().map(|it| &*it.text);
        (own.guessed)(encoding, &samples.collect::<Vec<_>>().join(" · "))
    });
    let numbers = number_notices(result, texts);
    let dates = date_notices(result, texts);
    let quotes = result.quotes_after_blanks;
    let quotes = quotes.map(|it| (own.quotes)(it.rows, it.first_line));
    encoding
        .into_iter()
        .chain(numbers)
        .chain(dates)
        .chain(quotes)
        .collect()
}

/// The first rows of a dry run, as they would be stored: the line of each, and its values.
pub(super) fn first_rows(result: &ImportResult) -> Vec<(u64, String)> {
    let rows = result.first_rows.iter().map(|row| {
        let values = row.values.iter();
        let values = values.map(|it| format!("{}: {}", it.field, it.value));
        (row.line, values.collect::<Vec<_>>().join(" · "))
    });
    rows.collect()
}

/// What is to be looked at twice of how numbers are written.
fn number_notices(result: &ImportResult, texts: &Texts) -> Vec<String> {
    let own = &texts.found_file;
    let told = result.numbers.iter().filter_map(|it| {
        if it.has_commas() {
            Some((own.commas)(&it.field))
        } else {
            it.may_be_thousands().then(|| (own.thousands)(&it.field))
        }
    });
    told.collect()
}

/// How days and times would be read that their fields don't read.
fn date_notices(result: &ImportResult, texts: &Texts) -> Vec<String> {
    let own = &texts.found_file;
    let named = |reading: &DateReading| match reading {
        DateReading::Field => own.dates_of_field,
        DateReading::Us => own.dates_us,
        DateReading::European => own.dates_european,
        DateReading::Timestamp => own.dates_timestamp,
        DateReading::Compact => own.dates_compact,
    };
    let notices = result.dates.iter().filter_map(|it| {
        let proposal = it.proposed()?;
        let names: Vec<&str> = proposal.formats.iter().map(named).collect();
        let counts = (proposal.fixed, proposal.changed);
        Some((own.dates)(&it.field, &names.join(" · "), counts))
    });
    notices.collect()
}

fn format_named(found: &FoundFile) -> &'static str {
    use service::manage::DataFormat;
    match found.format {
        DataFormat::Csv => "CSV",
        DataFormat::Xlsx => "Excel",
        DataFormat::Ndjson => "NDJSON",
        DataFormat::Json => "JSON",
        DataFormat::Parquet => "Parquet",
    }
}

fn columns(found: &FoundFile, said: &str) -> Vec<ColumnShown> {
    let columns = found.columns.iter().enumerate().map(|(at, column)| {
        let mut lines = said.lines().map(str::trim);
        let own = lines.find_map(|line| field_said_of(line, &column.column, found));
        let field = own.or(column.field.as_deref()).unwrap_or_default();
        let is_one = || is_first(found, at) && !is_of_ids(column);
        ColumnShown {
            name: column.column.clone(),
            field: field.to_owned(),
            choice: (can_be_said(&column.column) && is_one()).then(|| choice(at)),
        }
    });
    columns.collect()
}

/// Which columns are for no field, the first by their names.
fn left_out(columns: &[ColumnShown], texts: &Texts) -> Option<String> {
    let left_out = columns.iter().filter(|it| it.field.is_empty());
    let names = left_out
        .map(|it| it.name.trim())
        .filter(|it| !it.is_empty());
    let names: Vec<&str> = names.collect();
    let told = || named_first(&names, NAMED, texts);
    (!names.is_empty()).then(|| filled(texts.found_file.unused_named, &[&told()]))
}

/// What the choice of a column is called in a form.
fn choice(at: usize) -> String {
    format!("column-{at}")
}

/// What a line says of a column; where names have a `=` themselves, it is for the longest that it begins with.
fn field_said_of<'l>(line: &'l str, column: &str, found: &FoundFile) -> Option<&'l str> {
    let said_of = |column: &str| {
        let behind = line.strip_prefix(column)?.trim_start();
        behind.strip_prefix('=').map(str::trim_start)
    };
    let is_for_it =
        |it: &FoundColumn| it.column.len() > column.len() && said_of(&it.column).is_some();
    said_of(column).filter(|_| !found.columns.iter().any(is_for_it))
}

/// Whether a line can say which field a column is for.
fn can_be_said(name: &str) -> bool {
    !name.is_empty() && name.trim() == name && !name.chars().any(char::is_control)
}

/// Whether no column before it has its name, by which it is said.
fn is_first(found: &FoundFile, at: usize) -> bool {
    let is_same = |before: &FoundColumn| before.column == found.columns[at].column;
    !found.columns[..at].iter().any(is_same)
}

/// What is said of columns, line by line, with what was chosen otherwise than it was found.
pub(super) fn chosen<S: Into<String>>(
    found: &FoundFile,
    said: &str,
    get: impl Fn(&str) -> Option<S>,
) -> String {
    let mut lines: Vec<String> = said.lines().map(|line| line.trim().to_owned()).collect();
    for (at, shown) in columns(found, said).into_iter().enumerate() {
        let Some(chosen) = shown.choice.as_deref().and_then(&get) else {
            continue;
        };
        let chosen: String = chosen.into();
        // it may be typed, and no field's name has white space at its ends
        let chosen = chosen.trim();
        if chosen != shown.field {
            let column = &found.columns[at].column;
            lines.retain(|line| field_said_of(line, column, found).is_none());
            lines.push(format!("{column}={chosen}"));
        }
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// The file of tests: one with names of columns that a line can't say, and of two that are called alike.
#[cfg(test)]
pub(super) fn example() -> FoundFile {
    use service::manage::DataFormat;
    let column = |name: &str, field: Option<&str>| FoundColumn {
        column: name.to_owned(),
        field: field.map(str::to_owned),
    };
    FoundFile {
        format: DataFormat::Csv,
        packing: None,
        encoding: Some("utf-8".to_owned()),
        is_encoding_guessed: false,
        delimiter: Some('\t'),
        quote: Some('"'),
        header: Some(true),
        sheet: None,
        sheet_count: None,
        columns: vec![
            column("Code", Some("Code")),
            column("Ort", None),
            column("a=b", None),
            column("Code", None),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_is_packed_is_told_in_the_language_of_the_page() {
        let mut packed = example();
        packed.packing = Some(Packing::Zstd);
        for (code, told) in [
            ("en", "compressed with zstd"),
            ("de", "komprimiert mit zstd"),
        ] {
            let texts = Texts::of(code).expect("a language");
            let shown = FoundShown::of(&packed, "", texts);
            assert_eq!(shown.facts[1], told);
        }
    }

    #[test]
    fn columns_for_no_field_are_named_beside_what_was_found() {
        for (code, told) in [
            ("en", "These columns are left out: Ort, a=b, Code."),
            ("de", "Diese Spalten werden weggelassen: Ort, a=b, Code."),
        ] {
            let texts = Texts::of(code).expect("a language");
            let left_out = |said: &str| FoundShown::of(&example(), said, texts).left_out;
            assert_eq!(left_out("").as_deref(), Some(told));
            // by what is said of them, not by what was found
            let said = "Ort=Place\na=b=Name\nCode=Code";
            assert_eq!(left_out(said), None);
        }
    }

    fn chosen_of(said: &str, form: &[(&str, &'static str)]) -> String {
        let get = |name: &str| {
            let mut own = form.iter().filter(|(own, _)| *own == name);
            own.next().map(|(_, value)| *value)
        };
        chosen(&example(), said, get)
    }

    #[test]
    fn what_is_chosen_otherwise_takes_the_place_of_what_was_said() {
        let form = [
            ("column-0", ""),
            ("column-1", "Place"),
            ("column-2", "Name"),
            ("column-3", "Name"),
        ];
        let said = chosen_of("Ort=Name\nLand=Country", &form);
        assert_eq!(said, "Land=Country\nCode=\nOrt=Place\na=b=Name");
    }

    #[test]
    fn nothing_is_chosen_for_the_column_of_ids() {
        let mut found = example();
        assert!(!has_ids(&found));
        found.columns[1] = FoundColumn {
            column: ID_COLUMN.to_owned(),
            field: Some(ID_COLUMN.to_owned()),
        };
        assert!(has_ids(&found));
        let shown = columns(&found, "");
        assert_eq!((&*shown[1].field, &shown[1].choice), (ID_COLUMN, &None));
    }

    #[test]
    fn a_line_is_for_the_longest_column_that_it_begins_with() {
        let mut found = example();
        found.columns[1].column = "a".to_owned();
        let shown = columns(&found, "a=b=Name\na=Place");
        let fields: Vec<_> = shown.iter().map(|it| &*it.field).collect();
        assert_eq!(fields, ["Code", "Place", "Name", ""]);
        let get = |name: &str| (name == "column-1").then_some("Country");
        assert_eq!(chosen(&found, "a=b=Name", get), "a=b=Name\na=Country");
    }

    #[test]
    fn spaces_around_the_sign_say_nothing() {
        let form = [("column-1", "Place"), ("column-2", "Name")];
        let said = chosen_of("Ort = Name\na=b = Name", &form);
        assert_eq!(said, "a=b = Name\nOrt=Place");
    }

    #[test]
    fn what_is_chosen_as_it_was_says_nothing() {
        let form = [("column-0", "Code"), ("column-1", "Name")];
        assert_eq!(chosen_of("Ort=Name", &form), "Ort=Name");
    }
}
