//! A struct that a program built is judged as its JSON would be: the same `_errors`, and what it
//! writes is a fixed point.

use crate::outputs::{Huge, Nothing};
use crate::secrets::{Kind, Many, One};
use runtime::validate::Lookups;
use runtime::{
    Decimal, Email, FileRef, LatLng, Latitude, Longitude, NaiveDate, NaiveDateTime, NaiveTime,
    Phone, Record, Url,
};

/// Values of each kind: fitting ones, ones beyond a bound, ones that no format can hold.
struct Values;

impl Values {
    fn texts() -> Vec<String> {
        [
            "abc",
            "",
            " ",
            " abc ",
            "a",
            "abcdefghij",
            "a-b",
            "\u{e9}\u{e9}\u{e9}",
            "\u{2003}",
            "\u{a0}x\u{a0}",
            "a\nb\"\\",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn integers() -> Vec<i64> {
        vec![1, 9, 0, 10, -1, i64::MAX, i64::MIN, 9_007_199_254_740_992]
    }

    fn floats() -> Vec<f64> {
        vec![
            0.0,
            -0.0,
            -1.5,
            9.0,
            9.000_000_000_000_002,
            -1e300,
            1e16,
            5e-324,
            0.1 + 0.2,
        ]
    }

    fn money() -> Vec<Decimal> {
        [
            "0",
            "-0",
            "1.50",
            "9.00",
            "9.01",
            "1.005",
            "1.500",
            "-9007199254740992",
            "79228162514264337593543950335",
        ]
        .map(|token| token.parse().unwrap())
        .to_vec()
    }

    fn dates() -> Vec<NaiveDate> {
        [
            (2000, 1, 1),
            (1999, 12, 31),
            (2026, 11, 21),
            (1969, 12, 31),
            (2070, 1, 1),
            (9999, 12, 31),
            (1, 1, 1),
            (2000, 2, 29),
        ]
        .map(|(year, month, day)| NaiveDate::from_ymd_opt(year, month, day).unwrap())
        .to_vec()
    }

    /// Without fractions of a second: the struct is told of them, while as JSON they are no time.
    fn times() -> Vec<NaiveTime> {
        ["00:00:00", "12:00:00", "12:00:01", "23:59:59", "09:05:00"]
            .map(|text| text.parse().unwrap())
            .to_vec()
    }

    fn with_a_fraction() -> NaiveTime {
        "11:59:00.5".parse().unwrap()
    }

    fn moments() -> Vec<NaiveDateTime> {
        let times = Self::times().into_iter().chain([Self::with_a_fraction()]);
        let pairs = Self::dates().into_iter().zip(times);
        pairs.map(|(date, time)| date.and_time(time)).collect()
    }

    fn years() -> Vec<i32> {
        vec![1, 0, -1, 9000, 9001, i32::MAX, i32::MIN]
    }

    fn parts() -> Vec<u8> {
        vec![1, 0, 12, 13, 20, 21, 31, 32, 255]
    }

    fn files() -> Vec<FileRef> {
        Self::texts().into_iter().map(FileRef::new).collect()
    }
}

/// Compares what a struct says of itself with what its JSON gets.
fn compare<R: Record>(record: &R) -> Result<(), String> {
    let json = record.to_json();
    for lookups in [None, Some(&Nothing as &dyn Lookups), Some(&Huge)] {
        let checked = R::CHECKER
            .check_with(json.as_bytes(), lookups)
            .map_err(|rejected| format!("{json}\n  is refused: {rejected}"))?;
        let verdict = record.validate_with(lookups);
        let (one, other) = (verdict.errors_json(), checked.errors_json());
        if one != other {
            return Err(format!("{json}\n  struct {one}\n  JSON   {other}"));
        }
        if verdict.is_fully_judged() != checked.is_fully_judged() {
            return Err(format!("{json}\n  is judged fully by one of the two"));
        }
        if record.primary_key().as_deref() != checked.primary_key() {
            return Err(format!(
                "{json}\n  has the key {:?} and {:?}",
                record.primary_key(),
                checked.primary_key()
            ));
        }
        if checked.normal_form() != json {
            return Err(format!("{json}\n  is stored as {}", checked.normal_form()));
        }
    }
    Ok(())
}

/// Tries each value of a field alone, and all of them in a list.
macro_rules! try_values {
    ($wrong:ident, $count:ident, $($field:ident: $values:expr;)*) => {$(
        let values = $values;
        for value in values.iter().cloned() {
            let mut one = One::from_json(b"{}").unwrap();
            one.$field = Some(value);
            $wrong.extend(compare(&one).err());
            $count += 1;
        }
        for count in 1..=values.len() {
            let mut many = Many::from_json(b"{}").unwrap();
            many.$field = values[values.len() - count..].to_vec();
            $wrong.extend(compare(&many).err());
            $count += 1;
        }
    )*};
}

#[test]
fn a_struct_built_by_hand_is_judged_as_its_json() {
    let mut wrong = Vec::new();
    let mut count = 0;
    try_values! { wrong, count,
        string: Values::texts();
        integer: Values::integers();
        float: Values::floats();
        money: Values::money();
        flag: [true, false];
        date: Values::dates();
        short_date: Values::dates();
        time: Values::times();
        moment: Values::moments();
        year: Values::years();
        month: Values::parts();
        day: Values::parts();
        kinds: [Kind::A, Kind::B];
        dynamic: Values::texts();
        mail: ["a@b.c", "a.long.address@example.org"].map(|text| Email::parse(text).unwrap());
        page: ["http://a", "https://example.org/a/long/page"].map(|text| Url::parse(text).unwrap());
        link: Values::texts();
        phone: ["+1234567", "+49 (0) 71-83 6"].map(|text| Phone::parse(text).unwrap());
        place: ["1,2", "-90 , 180.0"].map(|text| LatLng::parse(text).unwrap());
        latitude: [0.0, -0.0, 80.0, 80.5, -90.0].map(|value| Latitude::new(value).unwrap());
        longitude: [0.0, -80.0, -80.5, 180.0].map(|value| Longitude::new(value).unwrap());
        file: Values::texts();
        image: Values::files();
        document: Values::files();
        video: Values::files();
    }
    let blank = Many {
        string: vec![String::new(), " ".to_owned()],
        link: vec![String::new()],
        ..Many::from_json(b"{}").unwrap()
    };
    wrong.extend(compare(&blank).err());
    println!("{count} structs built by hand");
    assert!(
        wrong.is_empty(),
        "{} of {count}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_fraction_of_a_second_in_a_time_is_a_fault_through_both_doors() {
    let one = One {
        time: Some(Values::with_a_fraction()),
        ..One::from_json(b"{}").unwrap()
    };
    let told = "must have no fraction of a second, because HH:mm cannot hold it";
    assert_eq!(one.validate().errors()[0].errors, told);
    let checked = One::CHECKER.check(one.to_json().as_bytes()).unwrap();
    assert_eq!(
        checked.errors()[0].errors,
        "must be a time as HH:mm or HH:mm:ss"
    );
}
