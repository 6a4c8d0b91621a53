//! Rows as CSV, such that reading them again gives the same: text in quotes where it has to be, empty text as `""`,
//! a missing value as nothing. With a guard for spreadsheets, which take text for formulas. It judges nothing.

use schema::json::{Scanner, SyntaxError, Token};
use std::borrow::Cow;

/// What makes a spreadsheet take a cell for a formula, or pass over what stands before one.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Writes rows of cells.
#[derive(Clone, Copy, Debug)]
pub struct CsvWriter {
    /// What parts the cells.
    pub delimiter: u8,
    /// Whether texts that a spreadsheet would take for a formula get a `'` before them. Read again, they have it.
    pub for_spreadsheets: bool,
}

impl Default for CsvWriter {
    fn default() -> Self {
        CsvWriter {
            delimiter: b',',
            for_spreadsheets: false,
        }
    }
}

impl CsvWriter {
    /// Appends a row; `None` is a missing value. In a row of one cell, a missing value and empty text are written
    /// alike, and read as missing.
    pub fn row<'c>(&self, cells: impl IntoIterator<Item = Option<&'c str>>, out: &mut String) {
        let begin = out.len();
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                out.push(char::from(self.delimiter));
            }
            if let Some(cell) = cell {
                self.cell(cell, out);
            }
        }
        if out.len() == begin {
            out.push_str("\"\"");
        }
        out.push('\n');
    }

    /// Appends a record in its normal form: a cell for each value, an array as its JSON text.
    ///
    /// # Errors
    /// When the text is no flat JSON object.
    pub fn record(&self, normal_form: &str, out: &mut String) -> Result<(), SyntaxError> {
        let mut scanner = Scanner::new(normal_form);
        let mut cells = Vec::new();
        scanner.expect(b'{', "`{`")?;
        while !scanner.take(b'}') {
            if !cells.is_empty() {
                scanner.expect(b',', "`,` or `}`")?;
            }
            scanner.string()?;
            scanner.expect(b':', "`:`")?;
            let start = scanner.offset();
            let token = scanner.token()?;
            if token == Token::ArrayStart {
                scanner.skip_rest(b']')?;
            }
            let raw = scanner.slice(start, scanner.offset());
            cells.push(match token {
                Token::Null => None,
                Token::String(text) => Some(self.guarded(text.decode())),
                _ => Some(Cow::Borrowed(raw)),
            });
        }
        self.row(cells.iter().map(Option::as_deref), out);
        Ok(())
    }

    fn guarded(self, text: Cow<'_, str>) -> Cow<'_, str> {
        if self.for_spreadsheets && text.starts_with(FORMULA) {
            Cow::Owned(format!("'{text}"))
        } else {
            text
        }
    }

    fn cell(self, text: &str, out: &mut String) {
        let is_plain = |byte: u8| byte != self.delimiter && !matches!(byte, b'"' | b'\n' | b'\r');
        // a reader may take the mark for that of the file
        if !text.is_empty() && text.bytes().all(is_plain) && !text.starts_with('\u{feff}') {
            out.push_str(text);
            return;
        }
        out.push('"');
        for (index, part) in text.split('"').enumerate() {
            if index > 0 {
                out.push_str("\"\"");
            }
            out.push_str(part);
        }
        out.push('"');
    }
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
    fn a_spreadsheet_gets_no_formula_and_numbers_stay_numbers() {
        let writer = CsvWriter {
            delimiter: b';',
            for_spreadsheets: true,
        };
        let record =
            r#"{"a":"=1+1","b":"+49 30","c":"-x","d":"@x","e":"\tx","f":"\rx","g":-5,"h":"a=b"}"#;
        let expected = "'=1+1;'+49 30;'-x;'@x;'\tx;\"'\rx\";-5;a=b\n";
        assert_eq!(written(writer, record), expected);
    }
}
