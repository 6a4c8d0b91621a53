//! Fields whose dates and times are written otherwise by now than when a form was made: what was typed into it would be read as
//! another day. Of that the form says the version of its schema (`schema`).

use super::places::Place;
use super::texts::Texts;
use schema::format::{Day, Moment, TimeOfDay};
use schema::json::write_string;
use schema::{DataType, Field, carry_value};
use service::catalog::SchemaVersion;

/// How the values of a field are written; none where its type says it all.
pub(super) fn written_as(field: &Field) -> Option<String> {
    match field.data_type {
        DataType::Date => Some(field.date_shape().label()),
        DataType::Time => Some(field.time_shape().name().to_owned()),
        DataType::Datetime => Some(field.moment_shape().label()),
        _ => None,
    }
}

/// A value of a field as it is written; none where its type says it all.
pub(super) fn example_of(field: &Field) -> Option<String> {
    // no part of it can be taken for another one
    let (day, time) = (Day::new(2026, 11, 27)?, TimeOfDay::new(15, 30, 0)?);
    let mut text = String::new();
    match field.data_type {
        DataType::Date => field.date_shape().write(day, &mut text),
        DataType::Time => field.time_shape().write(time, &mut text),
        DataType::Datetime => {
            let moment = Moment { day, time };
            field.moment_shape().write(moment, &mut text);
        }
        _ => return None,
    }
    Some(text)
}

/// The version of a schema that a form was made with, beside the one in force.
pub(super) struct FormSchema<'p> {
    then: Option<&'p SchemaVersion>,
    now: &'p SchemaVersion,
}

impl<'p> FormSchema<'p> {
    /// That of a form that says this version. Where it says none, as one of a program, what stands in it is of the one in force.
    pub(super) fn of(place: &'p Place, version: &str) -> Self {
        let now: &SchemaVersion = place.version();
        let number = version.parse::<i64>().ok();
        let number = number.filter(|number| *number != now.number);
        let then = number.and_then(|number| place.permit.schema().version(number));
        FormSchema {
            then: then.map(|then| &**then),
            now,
        }
    }

    /// Whether the values of a field are written otherwise by now.
    pub(super) fn is_other(&self, field: &Field) -> bool {
        self.other(field).is_some()
    }

    /// A field as the form knew it, where its values are written otherwise by now.
    fn other(&self, field: &Field) -> Option<&'p Field> {
        let now = written_as(field)?;
        let mut known = self.then?.schema.fields.iter();
        let then = known.find(|then| then.id == field.id)?;
        (written_as(then).as_ref() != Some(&now)).then_some(then)
    }

    /// What is told of those of these fields that are written otherwise by now, with how that is; nothing where none is.
    pub(super) fn told<'f>(
        &self,
        fields: impl Iterator<Item = &'f Field>,
        texts: &Texts,
    ) -> Option<String> {
        self.named(fields)
            .map(|named| (texts.meanwhile.reformatted)(&named))
    }

    /// Their names alone, each with how it is written.
    pub(super) fn named<'f>(&self, fields: impl Iterator<Item = &'f Field>) -> Option<String> {
        let others = fields.filter(|field| self.is_other(field));
        let named = others.map(|field| {
            let written = written_as(field).unwrap_or_default();
            format!("{} ({written})", field.name)
        });
        let named: Vec<_> = named.collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    /// What a field held when the form was made, of which its id is said, as that is written by now.
    pub(super) fn carried(&self, id: &str, text: String) -> String {
        let mut fields = self.now.schema.fields.iter();
        let own = fields.find(|field| field.id == id);
        let both = own.and_then(|now| Some((self.other(now)?, now)));
        let Some((then, now)) = both else {
            return text;
        };
        if !now.is_multivalue() {
            return carried(then, now, &text);
        }
        let lines = text.split('\n').map(|line| carried(then, now, line));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// One value as it is written by now.
fn carried(then: &Field, now: &Field, text: &str) -> String {
    let (mut raw, mut out) = (String::new(), String::new());
    write_string(&mut raw, text);
    carry_value(&mut out, then, now, &raw);
    serde_json::from_str(&out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::Schema;
    use schema::format::{DateFormat, Separator};
    use serde_json::json;

    /// A version of a schema whose one date is written so.
    fn version(format: DateFormat, is_multivalue: bool) -> SchemaVersion {
        let document = json!({"schemaId": "s", "name": "Thing", "businessAreaId": "a", "businessAreaName": "A",
            "createdDate": "2026-01-01T00:00:00.000Z", "fields": [
                {"fieldId": "f-born", "name": "Born", "active": true, "dataType": "date", "isPrimaryKey": false,
                    "isSortKey": false, "isRequired": false, "isMultivalue": is_multivalue},
                {"fieldId": "f-note", "name": "Note", "active": true, "dataType": "string", "isPrimaryKey": false,
                    "isSortKey": false, "isRequired": false}]});
        let mut schema = Schema::read_unchecked(&document.to_string()).expect("a schema");
        schema.fields[0].date_format = Some(format);
        schema.fields[0].date_separator = Some(Separator::Slash);
        SchemaVersion::new(schema).expect("no contradictions")
    }

    #[test]
    fn a_field_that_is_written_otherwise_by_now_is_told_with_how_that_is() {
        let [then, now] = [DateFormat::MonthDayYear, DateFormat::DayMonthYear]
            .map(|format| version(format, false));
        let [born, note] = [&now.schema.fields[0], &now.schema.fields[1]];
        let texts = Texts::of("en").expect("a language");
        let schema = FormSchema {
            then: Some(&then),
            now: &now,
        };
        assert!(schema.is_other(born) && !schema.is_other(note));
        let told = schema.told([born, note].into_iter(), texts);
        let told = told.expect("it is told");
        assert!(told.contains(": Born (DD/MM/YYYY)."), "{told}");
        assert_eq!(schema.told([note].into_iter(), texts), None);
        // a form that knew no format of it
        let mut unknown = version(DateFormat::MonthDayYear, false).schema;
        unknown.fields[0].data_type = DataType::String;
        unknown.fields[0].date_format = None;
        unknown.fields[0].date_separator = None;
        let unknown = SchemaVersion::new(unknown).expect("no contradictions");
        let schema = FormSchema {
            then: Some(&unknown),
            now: &now,
        };
        assert!(schema.is_other(born));
        let same = FormSchema {
            then: None,
            now: &now,
        };
        assert!(!same.is_other(born));
    }

    #[test]
    fn what_was_there_is_compared_as_it_is_written_by_now() {
        for (is_multivalue, was, is) in [
            (false, "04/05/1991", "05/04/1991"),
            (false, "13/13/1991", "13/13/1991"),
            (false, "", ""),
            (true, "04/05/1991\n12/24/1991", "05/04/1991\n24/12/1991"),
        ] {
            let [then, now] = [DateFormat::MonthDayYear, DateFormat::DayMonthYear]
                .map(|format| version(format, is_multivalue));
            let schema = FormSchema {
                then: Some(&then),
                now: &now,
            };
            assert_eq!(schema.carried("f-born", was.to_owned()), is);
            assert_eq!(schema.carried("f-note", was.to_owned()), was);
        }
    }
}
