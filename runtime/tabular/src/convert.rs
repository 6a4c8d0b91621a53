//! The text of a cell as the JSON value that its field is judged with: one way for every door. It judges nothing;
//! what is no value of the type stays text, and the judgement says so.
//!
//! | field | cell | value |
//! | - | - | - |
//! | `string` | ` 007 ` | `" 007 "`, as it is |
//! | `integer`, `float`, `currency`, `date-year` … | ` +007.50 ` | `7.50`, every digit kept |
//! | the same | `1,234.5`, `1.234,5`, `12 €` | text: refused rather than guessed |
//! | `integer`, `currency`, `date-year` … | `12.000` | text: twelve or twelve thousand |
//! | the same | the number 1.005 of a sheet | `1.005` |
//! | all of them, with a decimal mark that was said | `12.000`, by the comma | `12000` |
//! | `boolean` | `TRUE`, `false` | `true`, `false`; words of the field stay text, which it reads |
//! | `boolean`, with words that were said | `ja` | `true` |
//! | any, with words for no value that were said | `NULL`; the number 0 of a sheet, by `0` | `null` |
//! | `date`, `datetime`, with a reading that was said | `3/4/2024`, by `us` | `"2024-03-04"` |
//! | `picklist` | ` b `, where that very text is a code | `" b "`, as it is |
//! | any other | ` 2020-02-29 ` | `"2020-02-29"` |
//! | multivalue | `["a","b"]` | the array |
//! | multivalue, parted by `;` | `a;b` | `["a","b"]` |
//! | multivalue, parted by `.` | the number 1.5 of a sheet | `[1.5]`, never parted |
//! | `currency` | the number 0.30000000000000004 of a sheet | `0.3`, which is what the sheet shows |
//! | multivalue `string` | `["a" "b"]`, which is no array | that text |
//! | any, written for spreadsheets | `'=1` | as `=1` |

use crate::cell_words::CellWords;
use crate::cells::Cells;
use crate::date_reading::DateReading;
use crate::decimal_mark::{DecimalMark, is_grouped, write_number};
use crate::guard;
use crate::moment_rule::MomentRule;
use crate::padded_codes::PaddedCodes;
use crate::reckoned::as_shown;
use engine::validate::Lookups;
use schema::json::{Scanner, Token, write_string};
use schema::{DataType, Field};
use std::borrow::Cow;
use std::sync::Arc;

/// The day from which sheets count that don't count from 1900.
const FIRST_DAY: &str = "1904-01-01";

/// How the cells of one field become values.
#[derive(Clone, Debug)]
pub struct CellRule {
    kind: Kind,
    padded: PaddedCodes,
    multivalue: bool,
    split: Option<char>,
    is_guarded: bool,
    mark: Option<DecimalMark>,
    reading: Option<DateReading>,
    words: Option<Arc<CellWords>>,
    /// How its field reads days and times.
    moments: Option<MomentRule>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// As it is.
    Text,
    Number,
    /// A number without decimals.
    Whole,
    /// A number with two decimals at most.
    Money,
    Boolean,
    /// Without the white space around it.
    Trimmed,
    /// The same; a sheet's cell that is a day stands for its midnight.
    Moment,
    /// Without the white space around it, and never a time.
    Day,
}

impl Kind {
    fn is_number(self) -> bool {
        matches!(self, Kind::Number | Kind::Whole | Kind::Money)
    }

    /// Whether a text is a value of this kind, and so it would be with its dots between thousands. No value is ever written like
    /// that: whole numbers have no decimals, and money no third one.
    fn may_be_thousands(self, text: &str) -> bool {
        match self {
            Kind::Whole => is_grouped(text, '.'),
            Kind::Money => text.ends_with('0') && is_grouped(text, '.'),
            _ => false,
        }
    }
}

impl CellRule {
    /// The rule of a field. `split` parts the values of a multivalue's cell that holds no JSON array.
    pub fn of(field: &Field, split: Option<char>) -> Self {
        use DataType as T;
        let kind = match field.data_type {
            T::String => Kind::Text,
            T::Boolean => Kind::Boolean,
            T::Integer | T::DateYear | T::DateMonth | T::DateDay => Kind::Whole,
            T::Currency => Kind::Money,
            T::Float | T::Latitude | T::Longitude => Kind::Number,
            T::Date => Kind::Day,
            T::Datetime => Kind::Moment,
            _ => Kind::Trimmed,
        };
        CellRule {
            kind,
            padded: PaddedCodes::of(field),
            multivalue: field.is_multivalue(),
            split,
            is_guarded: false,
            mark: None,
            reading: None,
            words: None,
            moments: MomentRule::of(field),
        }
    }

    /// The same for cells that were written for spreadsheets: the `'` before what they would take for a formula goes.
    #[must_use]
    pub fn guarded(self, is_guarded: bool) -> Self {
        CellRule { is_guarded, ..self }
    }

    /// The same for texts of which it was said what stands before their decimals.
    #[must_use]
    pub fn marked(self, mark: Option<DecimalMark>) -> Self {
        CellRule { mark, ..self }
    }

    /// The same for texts of which it was said how their days and times are written.
    #[must_use]
    pub fn read_as(self, reading: Option<DateReading>) -> Self {
        CellRule { reading, ..self }
    }

    /// The same for texts of which it was said which words stand for truth and for no value.
    #[must_use]
    pub fn worded(self, words: Option<Arc<CellWords>>) -> Self {
        CellRule { words, ..self }
    }

    /// What its field has, where that is days or times of which nobody said how they are written.
    pub(crate) fn unsaid_moments(&self) -> Option<&MomentRule> {
        let moments = self.moments.as_ref()?;
        (!self.multivalue && self.reading.is_none()).then_some(moments)
    }

    /// Whether a text is no day as it was said that days are written, and one for the field itself: it would be read in two ways
    /// within one file.
    pub(crate) fn is_of_other_reading(&self, text: &str) -> bool {
        let (Some(reading), Some(moments)) = (self.reading, &self.moments) else {
            return false;
        };
        let is_other = |text: &str| {
            let text = text.trim();
            reading.has_shape(text)
                && reading.iso(text, moments.kind).is_none()
                && moments.reads(text)
        };
        match self.split.filter(|_| self.multivalue) {
            Some(split) => text.split(split).any(is_other),
            None => is_other(text),
        }
    }

    /// Whether its cells are single numbers, of which nobody said how they are written.
    pub(crate) fn is_of_unmarked_numbers(&self) -> bool {
        self.kind.is_number() && !self.multivalue && self.mark.is_none()
    }

    /// The text of a cell, as a file without types would have it.
    pub(crate) fn adapted<'c>(&self, cells: &'c Cells, column: usize) -> Option<Cow<'c, str>> {
        let text = self.untyped(cells, column)?;
        let is_no_text = cells.is_number(column) || cells.is_moment(column);
        let would_part = self.multivalue && self.split.is_some_and(|split| text.contains(split));
        if is_no_text && would_part {
            // it has one value, whatever that is written with
            let mut array = "[".to_owned();
            self.write_one(&text, None, &mut array);
            array.push(']');
            return Some(array.into());
        }
        Some(text)
    }

    fn untyped<'c>(&self, cells: &'c Cells, column: usize) -> Option<Cow<'c, str>> {
        let text = cells.get(column)?;
        let is_day = || cells.is_moment(column) && text.len() == "YYYY-MM-DD".len();
        Some(match self.kind {
            Kind::Moment if is_day() => format!("{text}T00:00:00").into(),
            Kind::Day if cells.is_first_day(column) && text == "00:00:00" => FIRST_DAY.into(),
            Kind::Day | Kind::Moment if cells.is_first_day(column) => {
                format!("{FIRST_DAY}T{text}").into()
            }
            kind if kind.is_number() && cells.is_number(column) => self.number_text(text),
            _ => Cow::Borrowed(text),
        })
    }

    /// The text of a sheet's number, as a number of this kind is shown and as numbers that are text are written.
    fn number_text<'c>(&self, text: &'c str) -> Cow<'c, str> {
        let shown = match self.kind {
            Kind::Whole => as_shown(text, 0),
            Kind::Money => as_shown(text, 2),
            _ => None,
        };
        let text = shown.map_or(Cow::Borrowed(text), Cow::Owned);
        match self.mark {
            Some(DecimalMark::Comma) => text.replace('.', ",").into(),
            None if self.kind.may_be_thousands(&text) => {
                // no thousands have a zero before them, and no number one more
                let (sign, digits) = text.split_at(usize::from(text.starts_with('-')));
                format!("{sign}0{digits}").into()
            }
            _ => text,
        }
    }

    /// Appends the value of a cell as JSON; `None` is a cell that is missing. Codes of data domains are not known.
    pub fn write(&self, cell: Option<&str>, out: &mut String) {
        self.write_with(cell, None, out);
    }

    /// The same, where codes of data domains can be looked up.
    pub fn write_with(&self, cell: Option<&str>, lookups: Option<&dyn Lookups>, out: &mut String) {
        let Some(text) = cell else {
            out.push_str("null");
            return;
        };
        let text = if self.is_guarded {
            guard::without(text)
        } else {
            text
        };
        if self
            .words
            .as_ref()
            .is_some_and(|it| it.is_null(text.trim()))
        {
            out.push_str("null");
            return;
        }
        if !self.multivalue {
            self.write_one(text, lookups, out);
        } else if is_array(text) {
            out.push_str(text);
        } else if let Some(split) = self.split {
            out.push('[');
            for (index, part) in text.split(split).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                self.write_one(part, lookups, out);
            }
            out.push(']');
        } else {
            self.write_one(text, lookups, out);
        }
    }

    fn write_one(&self, text: &str, lookups: Option<&dyn Lookups>, out: &mut String) {
        let trimmed = text.trim();
        if let (Some(reading), Some(moments)) = (self.reading, &self.moments)
            && let Some(iso) = reading.iso(trimmed, moments.kind)
        {
            return write_string(out, &iso);
        }
        if self.kind == Kind::Boolean
            && let Some(is_true) = self.words.as_ref().and_then(|it| it.truth(trimmed))
        {
            return out.push_str(if is_true { "true" } else { "false" });
        }
        match self.kind {
            Kind::Text => return write_string(out, text),
            kind if kind.is_number() && self.write_number(trimmed, out) => return,
            Kind::Boolean if trimmed.eq_ignore_ascii_case("true") => return out.push_str("true"),
            Kind::Boolean if trimmed.eq_ignore_ascii_case("false") => return out.push_str("false"),
            Kind::Trimmed if trimmed != text && self.padded.have(text, lookups) => {
                return write_string(out, text);
            }
            _ => {}
        }
        write_string(out, trimmed);
    }

    /// Appends a number; `false`, and nothing, where the text is none, or may be one of two.
    fn write_number(&self, text: &str, out: &mut String) -> bool {
        match self.mark {
            Some(mark) => mark
                .plain(text)
                .is_some_and(|plain| write_number(&plain, out)),
            None => !self.kind.may_be_thousands(text) && write_number(text, out),
        }
    }
}

/// Whether a text is a JSON array and nothing else.
fn is_array(text: &str) -> bool {
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    if !matches!(scanner.token(), Ok(Token::ArrayStart)) || scanner.skip_rest(b']').is_err() {
        return false;
    }
    scanner.skip_space();
    scanner.peek().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::validate::{CodeLookup, FileFacts};
    use schema::{PicklistEntry, PicklistType};

    fn value(data_type: DataType, cell: &str) -> String {
        let mut out = String::new();
        let field = Field::new("f", "F", data_type);
        CellRule::of(&field, None).write(Some(cell), &mut out);
        out
    }

    #[test]
    fn numbers_keep_every_digit_and_nothing_is_guessed() {
        for (cell, expected) in [
            ("7", "7"),
            (" -12.50 ", "-12.50"),
            ("+1e3", "1e3"),
            ("007", "7"),
            ("-000.5", "-0.5"),
            (".5", "0.5"),
            ("0", "0"),
            ("00", "0"),
            (
                "12345678901234567890.0123456789",
                "12345678901234567890.0123456789",
            ),
            ("1,234", r#""1,234""#),
            ("1 234", r#""1 234""#),
            ("1.234,5", r#""1.234,5""#),
            ("5.", r#""5.""#),
            ("12 €", r#""12 €""#),
            ("--1", r#""--1""#),
            ("NaN", r#""NaN""#),
            ("٣", r#""٣""#),
            ("-", r#""-""#),
            ("", r#""""#),
        ] {
            assert_eq!(value(DataType::Float, cell), expected, "{cell:?}");
            assert_eq!(value(DataType::Currency, cell), expected, "{cell:?}");
        }
    }

    #[test]
    fn a_dot_that_may_stand_between_thousands_makes_no_number_unless_the_mark_is_said() {
        let marked = |data_type, mark, cell: &str| {
            let mut out = String::new();
            let rule = CellRule::of(&Field::new("f", "F", data_type), None);
            rule.marked(mark).write(Some(cell), &mut out);
            out
        };
        let (point, comma) = (Some(DecimalMark::Point), Some(DecimalMark::Comma));
        for (mark, cell, whole, money, decimal) in [
            (None, "12.000", r#""12.000""#, r#""12.000""#, "12.000"),
            (None, "-12.345", r#""-12.345""#, "-12.345", "-12.345"),
            (None, "0.000", "0.000", "0.000", "0.000"),
            (comma, " 12.000 ", "12000", "12000", "12000"),
            (comma, "1.5", r#""1.5""#, r#""1.5""#, r#""1.5""#),
            (point, "12.000", "12.000", "12.000", "12.000"),
            (point, "1,234.5", "1234.5", "1234.5", "1234.5"),
        ] {
            let types = [
                (DataType::Integer, whole),
                (DataType::Currency, money),
                (DataType::Float, decimal),
            ];
            for (data_type, expected) in types {
                let found = marked(data_type, mark, cell);
                assert_eq!(found, expected, "{mark:?} {data_type:?} {cell}");
            }
        }
    }

    #[test]
    fn text_stays_as_it_is_and_all_else_loses_the_space_around_it() {
        assert_eq!(value(DataType::String, " 007 "), r#"" 007 ""#);
        assert_eq!(value(DataType::Picklist, " 007 "), r#""007""#);
        assert_eq!(value(DataType::Date, " 29.02.2020"), r#""29.02.2020""#);
        assert_eq!(value(DataType::Boolean, "True "), "true");
        assert_eq!(value(DataType::Boolean, "FALSE"), "false");
        assert_eq!(value(DataType::Boolean, "Y"), r#""Y""#);
    }

    struct Padded;

    impl Lookups for Padded {
        fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
            if domain_id == "d" && [" b ", "c"].contains(&code) {
                CodeLookup::Known
            } else {
                CodeLookup::Unknown
            }
        }

        fn file(&self, _: &str) -> Option<FileFacts> {
            None
        }
    }

    #[test]
    fn what_is_a_code_just_as_it_is_keeps_the_space_around_it() {
        let mut of_list = Field::new("f", "F", DataType::Picklist);
        of_list.picklist_type = Some(PicklistType::Static);
        let codes = [" b ", "c"];
        let codes = codes.map(|code| PicklistEntry {
            code: code.to_owned(),
            ..PicklistEntry::default()
        });
        of_list.static_picklist = Some(Vec::from(codes));
        let mut of_domain = Field::new("f", "F", DataType::Picklist);
        of_domain.picklist_type = Some(PicklistType::Dynamic);
        of_domain.data_domain_id = Some("d".to_owned());
        for field in [of_list, of_domain] {
            let several = Field {
                multivalue: Some(true),
                ..field.clone()
            };
            for (field, cell, expected) in [
                (&field, " b ", r#"" b ""#),
                (&field, "  b ", r#""b""#),
                (&field, " c", r#""c""#),
                (&several, " b ; c", r#"[" b ","c"]"#),
            ] {
                let mut out = String::new();
                let rule = CellRule::of(field, Some(';'));
                rule.write_with(Some(cell), Some(&Padded), &mut out);
                assert_eq!(out, expected, "{cell:?}");
            }
        }
    }

    #[test]
    fn cells_of_several_values_are_arrays_or_parted_by_what_was_said() {
        let mut field = Field::new("f", "F", DataType::Integer);
        field.multivalue = Some(true);
        let value = |split, cell| {
            let mut out = String::new();
            CellRule::of(&field, split).write(cell, &mut out);
            out
        };
        assert_eq!(value(None, None), "null");
        assert_eq!(value(None, Some(" [1, \"2\"] ")), " [1, \"2\"] ");
        assert_eq!(value(None, Some("1;2")), r#""1;2""#);
        assert_eq!(value(Some(';'), Some("1; 02;x")), r#"[1,2,"x"]"#);
        assert_eq!(value(Some(';'), Some("[1,2]")), "[1,2]");
        assert_eq!(value(Some(';'), Some("[1,2")), r#"["[1,2"]"#);
    }

    #[test]
    fn what_begins_as_an_array_and_is_none_is_a_text_as_any_other() {
        let mut field = Field::new("f", "F", DataType::String);
        field.multivalue = Some(true);
        for (split, cell, expected) in [
            (None, r#"["a" "b"]"#, r#""[\"a\" \"b\"]""#),
            (None, "[1, ,2]", r#""[1, ,2]""#),
            (None, "[1,2", r#""[1,2""#),
            (Some(','), "[1,2", r#"["[1","2"]"#),
        ] {
            let mut out = String::new();
            CellRule::of(&field, split).write(Some(cell), &mut out);
            assert_eq!(out, expected, "{cell}");
        }
    }
}
