//! Values of fields as an index has them and as queries ask for them.

use super::*;
use schema::format::{DateFormat, Separator};

fn field(data_type: DataType) -> Field {
    Field::new("f", "F", data_type)
}

fn value(field: &Field, json: &str) -> FactValue {
    value_of(field, Some(&parse(json).unwrap()))
}

fn keys<const N: usize>(keys: [Key; N]) -> FactValue {
    FactValue::Keys(keys.into())
}

#[test]
fn values_have_the_order_of_what_they_mean() {
    let mut date = field(DataType::Date);
    date.date_format = Some(DateFormat::DayMonthYear);
    date.date_separator = Some(Separator::Dot);
    assert_eq!(
        value(&date, r#""28.10.1237""#),
        keys([Key::Int(12_371_028)])
    );
    assert_eq!(value(&date, r#""28/10/1237""#), FactValue::Unread);
    let moment = field(DataType::Datetime);
    assert_eq!(
        value(&moment, r#""2020-01-02 10:00:01""#),
        keys([Key::Int(20_200_102 * DAY_SECONDS + 36_001)])
    );
    assert_eq!(
        value(&field(DataType::Time), r#""00:01:40""#),
        keys([Key::Int(100)])
    );
    assert_eq!(value(&field(DataType::Integer), "-5"), keys([Key::Int(-5)]));
    assert_eq!(
        value(&field(DataType::Integer), r#""5""#),
        FactValue::Unread
    );
    assert_eq!(value(&field(DataType::Float), "5"), keys([Key::Real(5.0)]));
    assert_eq!(
        value(&field(DataType::Currency), "1.5"),
        keys([Key::Int(150)])
    );
    assert_eq!(
        value(&field(DataType::Boolean), "true"),
        keys([Key::Int(1)])
    );
    assert_eq!(
        value(&field(DataType::Picklist), r#""aB""#),
        keys([Key::Text("aB".into())])
    );
    assert_eq!(
        value(&field(DataType::Boolean), r#""x""#),
        keys([Key::Text("x".into())])
    );
    assert_eq!(value(&field(DataType::Boolean), "5"), FactValue::Unread);
    let long = format!("\"x{}\"", "ä".repeat(CODE_BYTES));
    let cut = format!("x{}", "ä".repeat(CODE_BYTES / 2 - 1));
    assert_eq!(
        value(&field(DataType::Picklist), &long),
        keys([Key::Text(cut.as_str().into())])
    );
    assert_eq!(value(&field(DataType::Url), r#""aB""#), FactValue::Plain);
    for data_type in [DataType::Integer, DataType::String, DataType::Image] {
        assert_eq!(value(&field(data_type), "null"), FactValue::Missing);
        assert_eq!(value(&field(data_type), "[]"), FactValue::Missing);
        assert_eq!(value(&field(data_type), r#"[""," "]"#), FactValue::Missing);
        assert_eq!(value(&field(data_type), r#"" \u2003""#), FactValue::Missing);
    }
    let mut list = field(DataType::Integer);
    list.multivalue = Some(true);
    assert_eq!(
        value(&list, r#"[3,"x",1]"#),
        keys([Key::Int(3), Key::Int(1)])
    );
}

#[test]
fn a_number_beyond_all_doubles_stands_at_the_end_of_the_order() {
    for (data_type, most) in [
        (DataType::Integer, "9223372036854775807"),
        (DataType::Float, "1.7976931348623157e308"),
        (DataType::Currency, "9007199254740991"),
    ] {
        let field = field(data_type);
        for (far, near, infinite) in [
            ("1e309", most.to_owned(), f64::INFINITY),
            ("-1e999999999", format!("-{most}"), f64::NEG_INFINITY),
        ] {
            assert_eq!(value(&field, far), keys([Key::Real(infinite)]), "{far}");
            let FactValue::Keys(near) = value(&field, &near) else {
                panic!("{near} has a key");
            };
            let order = Key::Real(infinite).order(&near[0]);
            assert_eq!(order.is_gt(), infinite > 0.0, "{far} {data_type:?}");
        }
    }
    let none = keys([Key::Real(0.0)]);
    assert_eq!(value(&field(DataType::Float), "-0.0"), none);
}

#[test]
fn a_query_asks_in_iso_for_what_the_fields_form_has_no_room_for() {
    let only = |key: i64| Some((Key::Int(key), Key::Int(key)));
    let mut date = field(DataType::Date);
    date.date_format = Some(DateFormat::MonthDayShort);
    assert_eq!(asked(&date, "1950-01-01"), only(19_500_101));
    assert_eq!(asked(&date, "2100-12-31"), only(21_001_231));
    assert_eq!(asked(&date, "1950-02-30"), None);
    let mut time = field(DataType::Time);
    time.time_format = Some(TimeFormat::Minutes);
    assert_eq!(asked(&time, "10:00:30"), only(36_030));
    let mut moment = field(DataType::Datetime);
    moment.date_format = Some(DateFormat::MonthDayShort);
    moment.time_format = Some(TimeFormat::Minutes);
    let day = 19_500_101 * DAY_SECONDS;
    assert_eq!(asked(&moment, "1950-01-01T10:00:30"), only(day + 36_030));
    assert_eq!(asked(&moment, "1950-01-01T10:00:30Z"), only(day + 36_030));
    let whole = (Key::Int(day), Key::Int(day + DAY_SECONDS - 1));
    assert_eq!(asked(&moment, "1950-01-01"), Some(whole));
    let within = (Key::Int(day + 36_031), Key::Int(day + 36_030));
    for text in ["1950-01-01T10:00:30.5", "1950-01-01T10:00:30.25Z"] {
        assert_eq!(asked(&moment, text), Some(within.clone()), "{text}");
    }
}

#[test]
fn what_the_schema_says_to_have_an_order_is_what_is_sorted() {
    for facts in DataType::table() {
        let mut field = field(facts.data_type);
        assert!(!is_sorted(&field), "it is no sort key");
        field.sort_key = true;
        let has_order = facts.data_type.has_order();
        assert_eq!(is_sorted(&field), has_order, "{}", facts.name);
    }
}

#[test]
fn texts_are_sorted_by_their_words_where_pages_are() {
    let mut text = field(DataType::String);
    assert_eq!(value(&text, r#""Zürich, See""#), FactValue::Plain);
    text.sort_key = true;
    let key = |text: &str| keys([Key::Text(text.into())]);
    assert_eq!(value(&text, r#""Zürich, See""#), key("zurich see"));
    assert_eq!(value(&text, r#""--""#), key(""));
    assert_eq!(value(&text, r#"" ""#), FactValue::Missing);
    // blank text among values is none, and not the least of them
    assert_eq!(value(&text, r#"["b"," ",""]"#), key("b"));
    let long = format!("\"{}\"", "ä".repeat(100));
    assert_eq!(value(&text, &long), key(&"a".repeat(TEXT_CHARS)));
}

#[test]
fn a_query_asks_in_the_fields_form_or_in_iso_and_by_whole_days() {
    let only = |key: Key| Some((key.clone(), key));
    let mut date = field(DataType::Date);
    date.date_format = Some(DateFormat::DayMonthYear);
    date.date_separator = Some(Separator::Dot);
    for text in ["28.10.1237", "1237-10-28"] {
        assert_eq!(asked(&date, text), only(Key::Int(12_371_028)), "{text}");
    }
    assert_eq!(asked(&date, "1237"), None);
    let moment = field(DataType::Datetime);
    let day = 20_200_102 * DAY_SECONDS;
    assert_eq!(
        asked(&moment, "2020-01-02T00:00:05"),
        only(Key::Int(day + 5))
    );
    let whole = (Key::Int(day), Key::Int(day + DAY_SECONDS - 1));
    assert_eq!(asked(&moment, "2020-01-02"), Some(whole));
    let whole = field(DataType::Integer);
    assert_eq!(asked(&whole, "4"), only(Key::Int(4)));
    assert_eq!(asked(&whole, "4.5"), only(Key::Real(4.5)));
    assert_eq!(
        asked(&field(DataType::Currency), "1.505"),
        only(Key::Real(150.5))
    );
    assert_eq!(
        asked(&whole, "9223372036854775808"),
        only(Key::Real(9_223_372_036_854_775_808.0))
    );
    assert_eq!(asked(&whole, "1e400"), only(Key::Real(f64::INFINITY)));
    let float = field(DataType::Float);
    assert_eq!(asked(&float, "-1e400"), only(Key::Real(f64::NEG_INFINITY)));
    let gap = |first, last| Some((Key::Int(first), Key::Int(last)));
    let near_four = "4.00000000000000000001";
    assert_eq!(asked(&whole, near_four), gap(5, 4));
    assert_eq!(asked(&whole, &format!("-{near_four}")), gap(-4, -5));
    assert_eq!(
        asked(&field(DataType::Currency), "90071992547409.905"),
        gap(9_007_199_254_740_991, 9_007_199_254_740_990)
    );
    for text in ["", "x", "true", "\"4\"", "[4]", "4 5"] {
        assert_eq!(asked(&whole, text), None, "{text}");
    }
}
