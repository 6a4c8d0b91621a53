//! What a column of a Parquet file can hold: the type of a field, and its values read into it. A value fits only where
//! it could be written back as it stood.

use crate::values::{Value, exact_double};
use chrono::NaiveDate;
use parquet::basic::{LogicalType, TimeUnit, Type as Physical};
use schema::format::{BooleanWords, DateShape, Day, Moment, MomentShape, TimeFormat, TimeOfDay};
use schema::{DataType, Field, Number};

/// Digits of a decimal column, two of them behind the point: every amount that a currency can be.
pub(super) const DECIMAL_DIGITS: i32 = 29;
/// Bytes of one.
pub(super) const DECIMAL_BYTES: usize = 13;

/// How a field's values stand in their column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Whole,
    Double,
    Decimal,
    Boolean(Option<BooleanWords>),
    Date(DateShape),
    Moment(MomentShape),
    Time(TimeFormat),
    Text,
}

/// A value as its column has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Whole(i64),
    Days(i32),
    Double(f64),
    Boolean(bool),
    Decimal([u8; DECIMAL_BYTES]),
    Text(Vec<u8>),
}

impl Kind {
    pub(super) fn of(field: &Field) -> Self {
        let date = DateShape::new(field.date_format, field.date_separator);
        match field.data_type {
            DataType::Currency => Kind::Decimal,
            own if own.is_whole() => Kind::Whole,
            own if own.is_number() => Kind::Double,
            DataType::Boolean => Kind::Boolean(field.boolean_words),
            DataType::Date => Kind::Date(date),
            DataType::Datetime => Kind::Moment(MomentShape::new(date, field.time_format)),
            DataType::Time => Kind::Time(field.time_format.unwrap_or(TimeFormat::Seconds)),
            _ => Kind::Text,
        }
    }

    /// Its types in the file: how it is stored, and what that means.
    pub(super) fn of_file(self) -> (Physical, Option<LogicalType>) {
        match self {
            Kind::Whole => (Physical::INT64, None),
            Kind::Double => (Physical::DOUBLE, None),
            Kind::Decimal => (
                Physical::FIXED_LEN_BYTE_ARRAY,
                Some(LogicalType::decimal(2, DECIMAL_DIGITS)),
            ),
            Kind::Boolean(_) => (Physical::BOOLEAN, None),
            Kind::Date(_) => (Physical::INT32, Some(LogicalType::Date)),
            Kind::Moment(_) => (
                Physical::INT64,
                Some(LogicalType::timestamp(false, TimeUnit::MICROS)),
            ),
            Kind::Time(_) => (
                Physical::INT64,
                Some(LogicalType::time(false, TimeUnit::MICROS)),
            ),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        }
    }

    /// The value as the column has it; `None` where the column can't hold it as it is.
    pub(super) fn scalar(self, value: &Value<'_>) -> Option<Scalar> {
        let mut again = String::new();
        match (self, value) {
            (Kind::Whole, Value::Number(raw)) => {
                let whole = Number::of(raw).to_i64().ok()?;
                Some(Scalar::Whole(whole))
            }
            (Kind::Double, Value::Number(raw)) => exact_double(raw).map(Scalar::Double),
            (Kind::Decimal, Value::Number(raw)) => {
                let hundredths = Number::of(raw).to_hundredths().ok()?.get();
                let bytes = hundredths.to_be_bytes();
                // INVARIANT: an amount is below two to the power of 96
                let kept = bytes[bytes.len() - DECIMAL_BYTES..].try_into().ok()?;
                Some(Scalar::Decimal(kept))
            }
            (Kind::Boolean(_), Value::Boolean(is_true)) => Some(Scalar::Boolean(*is_true)),
            (Kind::Boolean(words), Value::Text(word)) => words?.read(word).map(Scalar::Boolean),
            (Kind::Date(shape), Value::Text(text)) => {
                let day = shape.read(text).ok()?;
                shape.write(day, &mut again);
                (again == **text).then_some(Scalar::Days(days(day)?))
            }
            (Kind::Moment(shape), Value::Text(text)) => {
                let moment = shape.read(text).ok()?;
                shape.write(moment, &mut again);
                (again == **text).then_some(Scalar::Whole(micros_of(moment)?))
            }
            (Kind::Time(format), Value::Text(text)) => {
                let time = format.read(text).ok()?;
                format.write(time, &mut again);
                (again == **text).then_some(Scalar::Whole(micros(time)))
            }
            (Kind::Text, Value::Text(text)) => Some(Scalar::Text(text.as_bytes().to_vec())),
            _ => None,
        }
    }
}

/// Days since 1970-01-01.
fn days(day: Day) -> Option<i32> {
    let (month, of_month) = (u32::from(day.month()), u32::from(day.day()));
    let date = NaiveDate::from_ymd_opt(i32::from(day.year()), month, of_month)?;
    Some(date.to_epoch_days())
}

/// Microseconds since midnight.
fn micros(time: TimeOfDay) -> i64 {
    let minutes = i64::from(time.hour()) * 60 + i64::from(time.minute());
    (minutes * 60 + i64::from(time.second())) * 1_000_000
}

/// Microseconds since 1970-01-01.
fn micros_of(moment: Moment) -> Option<i64> {
    Some(i64::from(days(moment.day)?) * 86_400_000_000 + micros(moment.time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_double_only_where_it_is_that_doubles_own_text() {
        for (raw, fits) in [
            ("0", true),
            ("-0.0", true),
            ("1.50", true),
            ("0.1", true),
            ("1e300", true),
            ("10000000000000000000000", true),
            ("9007199254740993", false),
            ("0.10000000000000000555", false),
            ("1e400", false),
        ] {
            let found = Kind::Double.scalar(&Value::Number(raw));
            assert_eq!(found.is_some(), fits, "{raw}");
        }
    }

    #[test]
    fn days_and_times_count_from_1970() {
        let day =
            |text: &str| Kind::Date(DateShape::new(None, None)).scalar(&Value::Text(text.into()));
        let shape = DateShape::new(None, None);
        let mut first = String::new();
        shape.write(Day::new(1969, 12, 31).unwrap(), &mut first);
        assert_eq!(day(&first), Some(Scalar::Days(-1)));
        let moment = Moment {
            day: Day::new(1970, 1, 2).unwrap(),
            time: TimeOfDay::new(1, 0, 1).unwrap(),
        };
        assert_eq!(micros_of(moment), Some(90_001_000_000));
    }
}
