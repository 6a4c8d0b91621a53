//! What a column may be: each data type that text or JSON can tell of, with its formats, as a field of its own. Each
//! value is asked of the engine under each candidate, so that a proposal means what it will be judged by.

use crate::{CellRule, DecimalMark};
use engine::validate::Checker;
use schema::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use schema::{DataType, Field, Schema};

/// A value as it stands in a file.
#[derive(Clone, Copy)]
pub(super) enum Raw<'r> {
    /// The text of a cell.
    Cell(&'r str),
    /// JSON without white space.
    Json(&'r str),
}

/// One possibility for a column.
pub(super) struct Candidate {
    pub(super) field: Field,
    /// What its values have before their decimals, where it is no point.
    pub(super) mark: Option<DecimalMark>,
    checker: Checker,
    rule: CellRule,
}

const DATE_FORMATS: [DateFormat; 10] = [
    DateFormat::YearMonthDay,
    DateFormat::DayMonthYear,
    DateFormat::MonthDayYear,
    DateFormat::DayNameYear,
    DateFormat::NameDayYear,
    DateFormat::YearNameDay,
    DateFormat::MonthDayShort,
    DateFormat::ShortMonthDay,
    DateFormat::YearCompact,
    DateFormat::ShortCompact,
];
const SEPARATORS: [Separator; 4] = [
    Separator::Dash,
    Separator::Slash,
    Separator::Dot,
    Separator::Space,
];
const TIME_FORMATS: [TimeFormat; 6] = [
    TimeFormat::Seconds,
    TimeFormat::Minutes,
    TimeFormat::TwelveSecondsLower,
    TimeFormat::TwelveSecondsUpper,
    TimeFormat::TwelveLower,
    TimeFormat::TwelveUpper,
];

/// The number of digits that a double is sure to keep.
const DOUBLE_DIGITS: usize = 15;

impl Candidate {
    fn new(mut field: Field, multivalue: bool) -> Option<Self> {
        field.multivalue = multivalue.then_some(true);
        let schema = Schema {
            id: "infer".to_owned(),
            name: "infer".to_owned(),
            fields: vec![field.clone()],
            ..Schema::default()
        };
        let checker = Checker::new(&schema).ok()?;
        let rule = CellRule::of(&field, None);
        Some(Candidate {
            field,
            mark: None,
            checker,
            rule,
        })
    }

    /// All candidates, the one that says most first: of those that fit every value, the first is proposed.
    pub(super) fn all(multivalue: bool) -> Vec<Self> {
        let plain = |data_type| Field::new("v", "v", data_type);
        let words = |words| Field {
            boolean_words: Some(words),
            ..plain(DataType::Boolean)
        };
        let mut fields = vec![
            plain(DataType::Boolean),
            words(BooleanWords::LowerYesNo),
            words(BooleanWords::UpperYesNo),
            words(BooleanWords::LowerTrueFalse),
            words(BooleanWords::UpperTrueFalse),
        ];
        let dates = date_settings();
        let dated = |data_type, (format, separator): &(DateFormat, Option<Separator>)| Field {
            date_format: Some(*format),
            date_separator: *separator,
            ..plain(data_type)
        };
        fields.extend(dates.iter().map(|date| dated(DataType::Date, date)));
        let simple = [DataType::Integer, DataType::Currency, DataType::Float];
        fields.extend(simple.map(plain));
        for date in &dates {
            fields.extend(TIME_FORMATS.map(|time| Field {
                time_format: Some(time),
                ..dated(DataType::Datetime, date)
            }));
        }
        fields.extend(TIME_FORMATS.map(|time| Field {
            time_format: Some(time),
            ..plain(DataType::Time)
        }));
        let texts = [
            DataType::Email,
            DataType::Url,
            DataType::Phone,
            DataType::Latlng,
            DataType::String,
        ];
        fields.extend(texts.map(plain));
        // what mixes text and numbers
        fields.push(words(BooleanWords::Digits));
        let parts = [DataType::DateYear, DataType::DateMonth, DataType::DateDay];
        fields.extend(parts.map(plain));
        let numbers = simple.map(plain);
        let by_comma = numbers.into_iter().filter_map(|field| {
            let candidate = Candidate::new(field, multivalue)?;
            let mark = Some(DecimalMark::Comma);
            Some(Candidate { mark, ..candidate })
        });
        let others = fields
            .into_iter()
            .filter_map(|field| Candidate::new(field, multivalue));
        // where they are asked for, a point would stand between thousands
        by_comma.chain(others).collect()
    }

    /// Whether the value is one of this candidate, as it stands: a date in its very format, a number that loses no
    /// digit. `body` is room to work in.
    pub(super) fn fits(&self, raw: Raw<'_>, body: &mut String) -> bool {
        match (self.mark, raw) {
            (None, raw) => self.fits_plain(raw, body),
            (Some(mark), Raw::Cell(text)) => mark
                .plain(text.trim())
                .is_some_and(|plain| self.fits_plain(Raw::Cell(&plain), body)),
            (Some(_), Raw::Json(_)) => false,
        }
    }

    fn fits_plain(&self, raw: Raw<'_>, body: &mut String) -> bool {
        body.clear();
        body.push_str("{\"v\":");
        match raw {
            Raw::Cell(text) => self.rule.write(Some(text), body),
            Raw::Json(json) => body.push_str(json),
        }
        body.push('}');
        let Ok(checked) = self.checker.check(body.as_bytes()) else {
            return false;
        };
        let is_same = || {
            let mut compact = String::new();
            schema::json::compact(&mut compact, body);
            compact == checked.normal_form()
        };
        checked.is_clean()
            && match (self.field.data_type, raw) {
                (DataType::Date | DataType::Time | DataType::Datetime, _) => is_same(),
                (DataType::Currency, _) => has_cents(raw),
                (DataType::Integer, Raw::Cell(text)) => {
                    !text.contains('.') && keeps_digits(text, usize::MAX)
                }
                (DataType::Float, Raw::Cell(text)) => keeps_digits(text, DOUBLE_DIGITS),
                _ => true,
            }
    }

    /// Whether its values are dates or times.
    pub(super) fn is_of_moments(&self) -> bool {
        matches!(
            self.field.data_type,
            DataType::Date | DataType::Time | DataType::Datetime
        )
    }

    /// Whether any six or eight digits may happen to be one.
    pub(super) fn is_compact_date(&self) -> bool {
        let format = self.field.date_format;
        self.field.data_type == DataType::Date
            && format.is_some_and(|format| !format.is_separated())
    }
}

/// Each format with each separator that it has.
fn date_settings() -> Vec<(DateFormat, Option<Separator>)> {
    let mut settings = Vec::new();
    for format in DATE_FORMATS {
        if format.is_separated() {
            settings.extend(SEPARATORS.map(|separator| (format, Some(separator))));
        } else {
            settings.push((format, None));
        }
    }
    settings
}

/// Whether a number is written with exactly two decimals, as money is.
fn has_cents(raw: Raw<'_>) -> bool {
    let (Raw::Cell(text) | Raw::Json(text)) = raw;
    let decimals = text.trim().rsplit_once('.').map(|(_, decimals)| decimals);
    decimals.is_some_and(|it| it.len() == 2) && keeps_digits(text, usize::MAX)
}

/// Whether a number in a cell means its value and not its digits, as codes such as `007` and `+49` do, and has few
/// enough of them.
fn keeps_digits(text: &str, digits_max: usize) -> bool {
    let digits = text.trim().trim_start_matches('-');
    let is_code = matches!(digits.as_bytes(), [b'0', b'0'..=b'9', ..] | [b'+', ..]);
    !is_code && digits.bytes().filter(u8::is_ascii_digit).count() <= digits_max
}
