//! What a column may be: each data type that text or JSON can tell of, with its formats, as a field of its own. Each
//! value is asked of the engine under each candidate, so that a proposal means what it will be judged by.

use crate::{CellRule, DecimalMark};
use engine::validate::Checker;
use schema::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use schema::{Bound, DataType, Field, Schema};

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
    /// Whether its values are read in ISO 8601, and need not stand in its format.
    pub(super) is_iso: bool,
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
            is_iso: false,
            checker,
            rule,
        })
    }

    /// All candidates, the one that says most first: of those that fit every value, the first is proposed.
    pub(super) fn all(multivalue: bool) -> Vec<Self> {
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
        let days = dates.iter().map(|date| dated(DataType::Date, *date));
        fields.extend(days);
        fields.extend([plain(DataType::Integer), wide()]);
        fields.extend([DataType::Currency, DataType::Float].map(plain));
        fields.extend(moments(&dates));
        let iso = Candidate::new(iso(), multivalue).map(|it| Candidate { is_iso: true, ..it });
        let texts = [
            DataType::Email,
            DataType::Url,
            DataType::Phone,
            DataType::Latlng,
            DataType::String,
        ];
        let mut others: Vec<Field> = texts.map(plain).into();
        // what mixes text and numbers
        others.push(words(BooleanWords::Digits));
        let parts = [DataType::DateYear, DataType::DateMonth, DataType::DateDay];
        others.extend(parts.map(plain));
        let numbers = [DataType::Integer, DataType::Currency, DataType::Float];
        let by_comma = numbers.into_iter().filter_map(|data_type| {
            let candidate = Candidate::new(plain(data_type), multivalue)?;
            let mark = Some(DecimalMark::Comma);
            Some(Candidate { mark, ..candidate })
        });
        let of = |field| Candidate::new(field, multivalue);
        // where they are asked for, a point would stand between thousands
        by_comma
            .chain(fields.into_iter().filter_map(of))
            .chain(iso)
            .chain(others.into_iter().filter_map(of))
            .collect()
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
                (DataType::Date | DataType::Time | DataType::Datetime, _) => {
                    self.is_iso || is_same()
                }
                (DataType::Currency, _) => has_cents(raw),
                // many digits in a cell are a code, and a text keeps them
                (DataType::Integer, Raw::Cell(text)) => {
                    !self.is_wide() && !text.contains('.') && keeps_digits(text, usize::MAX)
                }
                (DataType::Float, Raw::Cell(text)) => keeps_digits(text, DOUBLE_DIGITS),
                (DataType::Float, Raw::Json(json)) => is_whole_in_doubles(json),
                _ => true,
            }
    }

    /// Whether its whole numbers may be beyond those that a field has without bounds.
    pub(super) fn is_wide(&self) -> bool {
        self.field.data_type == DataType::Integer && self.field.max.is_some()
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

/// A field of a type, without settings.
fn plain(data_type: DataType) -> Field {
    Field::new("v", "v", data_type)
}

/// Whole numbers beyond those that a field has without bounds.
fn wide() -> Field {
    Field {
        min: Some(Bound::from(i64::MIN)),
        max: Some(Bound::from(i64::MAX)),
        ..plain(DataType::Integer)
    }
}

fn dated(data_type: DataType, (format, separator): (DateFormat, Option<Separator>)) -> Field {
    Field {
        date_format: Some(format),
        date_separator: separator,
        ..plain(data_type)
    }
}

/// Moments and times of day in every format.
fn moments(dates: &[(DateFormat, Option<Separator>)]) -> Vec<Field> {
    let timed = |field: &Field| {
        TIME_FORMATS.map(|time| Field {
            time_format: Some(time),
            ..field.clone()
        })
    };
    let days = dates.iter().map(|date| dated(DataType::Datetime, *date));
    let mut fields: Vec<_> = days.flat_map(|field| timed(&field)).collect();
    fields.extend(timed(&plain(DataType::Time)));
    fields
}

/// Moments as other programs write them, of which the field's own format may say as much.
fn iso() -> Field {
    Field {
        time_format: Some(TimeFormat::Seconds),
        ..dated(
            DataType::Datetime,
            (DateFormat::YearMonthDay, Some(Separator::Dash)),
        )
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

/// Whether each whole number of a value, or of its list, is itself as a double: an identifier of many digits would be that of
/// another.
fn is_whole_in_doubles(json: &str) -> bool {
    let mut numbers = json.split(['[', ',', ']']);
    numbers.all(|number| {
        let digits = number.strip_prefix('-').unwrap_or(number);
        let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_double = |double: f64| format!("{double:.0}") == number;
        !is_whole || number.parse().is_ok_and(is_double)
    })
}

/// Whether a number in a cell means its value and not its digits, as codes such as `007` and `+49` do, and has few
/// enough of them.
fn keeps_digits(text: &str, digits_max: usize) -> bool {
    let digits = text.trim().trim_start_matches('-');
    let is_code = matches!(digits.as_bytes(), [b'0', b'0'..=b'9', ..] | [b'+', ..]);
    !is_code && digits.bytes().filter(u8::is_ascii_digit).count() <= digits_max
}
