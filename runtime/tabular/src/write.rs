//! Rows as CSV, such that reading them again gives the same: text in quotes where it has to be, empty text as `""`,
//! a missing value as nothing. With a guard for spreadsheets, which take text for formulas. It judges nothing.

use crate::guard;
use crate::looks::{DELIMITERS, begins_as_separator};
use crate::values::{self, Value};
use schema::json::SyntaxError;
use std::borrow::Cow;

/// Writes rows of cells.
#[derive(Clone, Copy, Debug)]
pub struct CsvWriter {
    /// What parts the cells.
    pub delimiter: u8,
    /// What stands around cells that need it, `"` or `'`; around all, where it is not `"`, since it is found so.
    pub quote: u8,
    /// Whether texts that a spreadsheet would take for a formula get a `'` before them. Read with the same setting, they
    /// lose it again.
    pub for_spreadsheets: bool,
    /// What parts the values of a cell that has several, where they can be told apart again; without it, and
    /// otherwise, they are a JSON array.
    pub split: Option<char>,
}

impl Default for CsvWriter {
    fn default() -> Self {
        CsvWriter {
            delimiter: b',',
            quote: b'"',
            for_spreadsheets: false,
            split: None,
        }
    }
}

impl CsvWriter {
    /// Appends a row; `None` is a missing value. In a row of one cell, a missing value and empty text are written
    /// alike, and read as missing; a text that has a sign which might part cells stands in quotes there, since no delimiter
    /// tells what does.
    pub fn row<'c>(&self, cells: impl IntoIterator<Item = Option<&'c str>>, out: &mut String) {
        let begin = out.len();
        let mut cells = cells.into_iter().enumerate().peekable();
        while let Some((index, cell)) = cells.next() {
            let is_only = index == 0 && cells.peek().is_none();
            if index > 0 {
                out.push(char::from(self.delimiter));
            }
            match cell {
                Some(cell) if is_only && has_delimiter(cell) => self.quoted(cell, out),
                Some(cell) => self.cell(cell, out),
                None => {}
            }
        }
        self.end_row(begin, out);
    }

    /// Appends what a file begins with: the names of its columns, for spreadsheets behind the mark of UTF-8, without which they take
    /// its text for one in the encoding of the machine, and umlauts for two other letters.
    pub fn head<'n>(&self, names: impl IntoIterator<Item = &'n str>, out: &mut String) {
        if self.for_spreadsheets {
            out.push('\u{feff}');
        }
        self.names(names, out);
    }

    /// Appends a row of names, guarded as texts are. What parts the cells is found by them, so each that has a sign that might do so
    /// stands in quotes.
    pub fn names<'n>(&self, names: impl IntoIterator<Item = &'n str>, out: &mut String) {
        let begin = out.len();
        for (index, name) in names.into_iter().enumerate() {
            if index > 0 {
                out.push(char::from(self.delimiter));
            }
            let name = self.guarded(name.into());
            if has_delimiter(&name) || begins_as_separator(name.as_bytes()) {
                self.quoted(&name, out);
            } else {
                self.cell(&name, out);
            }
        }
        self.end_row(begin, out);
    }

    /// Ends a row that begins there: one of nothing would be none.
    fn end_row(self, begin: usize, out: &mut String) {
        if out.len() == begin {
            out.extend([char::from(self.quote); 2]);
        }
        out.push('\n');
    }

    /// Appends a record in its normal form: a cell for each value, an array as its JSON text or parted.
    ///
    /// # Errors
    /// When the text is no flat JSON object.
    pub fn record(&self, normal_form: &str, out: &mut String) -> Result<(), SyntaxError> {
        let mut cells = Vec::new();
        values::each(normal_form, |_, value, _| cells.push(self.text(value)))?;
        self.row(cells.iter().map(Option::as_deref), out);
        Ok(())
    }

    /// The text of a value's cell.
    pub(crate) fn text(self, value: Value<'_>) -> Option<Cow<'_, str>> {
        // a number is none of a spreadsheet's formulas, whatever its sign
        let is_number = matches!(value, Value::Number(_));
        let cell = value.cell(self.split)?;
        Some(if is_number { cell } else { self.guarded(cell) })
    }

    fn guarded(self, text: Cow<'_, str>) -> Cow<'_, str> {
        if self.for_spreadsheets {
            guard::with(text)
        } else {
            text
        }
    }

    fn cell(self, text: &str, out: &mut String) {
        let is_plain = |byte: u8| byte != self.delimiter && !matches!(byte, b'"' | b'\n' | b'\r');
        // at the beginning of a file, a reader may take the mark for its own, and a bracket for that of JSON; of a cell, an
        // apostrophe for a quote
        let is_sign = text.starts_with(['\u{feff}', '[', '{', '\'']);
        let is_bare = self.quote == b'"' && text.bytes().all(is_plain) && !is_sign;
        if !text.is_empty() && is_bare {
            out.push_str(text);
        } else {
            self.quoted(text, out);
        }
    }

    fn quoted(self, text: &str, out: &mut String) {
        let quote = char::from(self.quote);
        out.push(quote);
        for (index, part) in text.split(quote).enumerate() {
            if index > 0 {
                out.extend([quote, quote]);
            }
            out.push_str(part);
        }
        out.push(quote);
    }
}

/// Whether a text has a sign that is looked for as what parts cells.
fn has_delimiter(text: &str) -> bool {
    text.bytes().any(|byte| DELIMITERS.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(writer: CsvWriter, record: &str) -> String {
        let mut out = String::new();
        writer.record(record, &mut out).unwrap();
        out
    }

    #[test]
    fn values_are_cells() {
        let record = r#"{"a":"x, \"y\"","b":null,"c":"","d":[1,"e"],"f":-1.50,"g":true}"#;
        let expected = "\"x, \"\"y\"\"\",,\"\",\"[1,\"\"e\"\"]\",-1.50,true\n";
        assert_eq!(written(CsvWriter::default(), record), expected);
    }

    #[test]
    fn names_that_have_a_sign_which_parts_cells_stand_in_quotes() {
        let mut out = String::new();
        let names = ["a;b", "c,d", "e|f", "g\th", "SEP=", "i", "sepia", "j k"];
        CsvWriter::default().names(names, &mut out);
        let expected = "\"a;b\",\"c,d\",\"e|f\",\"g\th\",\"SEP=\",i,sepia,j k\n";
        assert_eq!(out, expected);
    }

    #[test]
    fn the_only_cell_of_a_row_stands_in_quotes_where_it_has_a_sign_that_might_part_cells() {
        let writer = CsvWriter {
            delimiter: b'\t',
            ..CsvWriter::default()
        };
        for (text, row) in [
            ("Smith, John", "\"Smith, John\"\n"),
            ("a;b", "\"a;b\"\n"),
            ("a|b", "\"a|b\"\n"),
            ("Cher", "Cher\n"),
        ] {
            let mut out = String::new();
            writer.row([Some(text)], &mut out);
            assert_eq!(out, row);
        }
        let mut out = String::new();
        writer.row([Some("Smith, John"), Some("a;b")], &mut out);
        assert_eq!(out, "Smith, John\ta;b\n", "of several, the names tell");
    }

    #[test]
    fn another_quote_stands_around_all_that_is_there() {
        let writer = CsvWriter {
            quote: b'\'',
            ..CsvWriter::default()
        };
        let record = r#"{"a":"it's","b":null,"c":"","d":"\"x\"","e":1}"#;
        assert_eq!(written(writer, record), "'it''s',,'','\"x\"','1'\n");
    }

    #[test]
    fn a_spreadsheet_gets_no_formula_and_numbers_stay_numbers() {
        let writer = CsvWriter {
            delimiter: b';',
            for_spreadsheets: true,
            split: Some('|'),
            ..CsvWriter::default()
        };
        let record = r#"{"a":"=1+1","b":"+49 30","c":"-x","d":"@x","e":"\tx","f":"\rx","g":-5,"h":"a=b","i":[-1,2]}"#;
        let expected = "\"'=1+1\";\"'+49 30\";\"'-x\";\"'@x\";\"'\tx\";\"'\rx\";-5;a=b;\"'-1|2\"\n";
        assert_eq!(written(writer, record), expected);
    }
}
