//! For each rule of each field a record that breaks it and no other. Candidates are tried on a record that is fine, and
//! the engine is asked: nothing is handed out that has another fault, or two.

use crate::at::At;
use crate::chance::Seeded;
use crate::sampler::{Plan, Sampler, is_needed};
use crate::value::{Form, Moments, Numbers, Values, quoted};
use engine::validate::{Lookups, Rule, rules_of};
use schema::Hundredths;
use schema::format::{DateShape, Moment, MomentShape, TimeFormat, TimeOfDay};

/// A rule of a field, with a record that breaks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breaking {
    /// The field's display name.
    pub field: String,
    /// The rule's code.
    pub rule: &'static str,
    /// The body, as JSON; `None` where no value breaks this rule alone, or nobody here knows one: what files are, and
    /// which codes a domain has.
    pub record: Option<String>,
}

/// Values of the wrong kind, and some that are nearly right.
const ODD: &[&str] = &[
    "true",
    "0",
    "1.5",
    "1.005",
    "1e400",
    "-1e30",
    "1e30",
    "\"?\"",
    "\"no such code\"",
    "\"91,0\"",
    "\"0,181\"",
    "\"2021-02-30\"",
    "\"2021-02-30T12:00:00Z\"",
    "\"2100-06-15\"",
    "\"2100-06-15T12:00:00Z\"",
    "\"1900-06-15\"",
    "\"1900-06-15T12:00:00Z\"",
    "\"12:00:01\"",
];

impl Sampler {
    /// Each rule of each field, in the order of the schema, with a record that breaks it alone.
    pub fn breaking(&self) -> Vec<Breaking> {
        self.breaking_with(None)
    }

    /// As [`breaking`](Self::breaking), where what domains and files are is known.
    pub fn breaking_with(&self, lookups: Option<&dyn Lookups>) -> Vec<Breaking> {
        let mut all = Vec::new();
        for plan in &self.fields {
            for rule in rules_of(&plan.field) {
                let mut candidates = plan.against(&rule).into_iter();
                all.push(Breaking {
                    field: plan.field.name.clone(),
                    rule: rule.code(),
                    record: candidates.find_map(|value| self.broken(plan, &rule, &value, lookups)),
                });
            }
        }
        all
    }

    /// The body with this value of a field, if it breaks this rule and no other.
    fn broken(
        &self,
        plan: &Plan,
        rule: &Rule,
        value: &str,
        lookups: Option<&dyn Lookups>,
    ) -> Option<String> {
        let body = self.body(|other| {
            if std::ptr::eq(other, plan) {
                return Some(value.to_owned());
            }
            // what may be missing is, so that nothing else can be wrong
            let fine =
                is_needed(&other.field).then(|| other.value(At::Lowest, &mut Seeded::new(0)));
            fine.flatten()
        });
        let checked = self.checker.check_with(body.as_bytes(), lookups).ok()?;
        let is_only = match checked.faults() {
            [fault] => fault.field() == plan.field.name && fault.rule().code() == rule.code(),
            _ => false,
        };
        is_only.then_some(body)
    }
}

impl Plan {
    /// Values of which one may break the rule, as JSON texts, the likeliest first.
    fn against(&self, rule: &Rule) -> Vec<String> {
        let fine = self
            .values
            .as_ref()
            .map(|values| values.one(At::Lowest, &mut Seeded::new(0)));
        match rule {
            Rule::Required => return vec!["null".to_owned()],
            // whatever stands in the array
            Rule::Single => return vec![format!("[{}]", fine.as_deref().unwrap_or("0"))],
            Rule::ElementMissing => {
                return fine
                    .map(|value| format!("[{value},null]"))
                    .into_iter()
                    .collect();
            }
            _ => {}
        }
        let mut all = self.values.as_ref().map_or_else(Vec::new, Values::beside);
        all.extend(self.other_lengths());
        all.extend(ODD.iter().map(|text| (*text).to_owned()));
        all
    }

    /// Texts of the field's form that are too short or too long, or have another sign.
    fn other_lengths(&self) -> Vec<String> {
        let Ok(schema::Limits::Text(length)) = schema::Limits::of(&self.field) else {
            return Vec::new();
        };
        let form = match &self.values {
            Some(Values::Text(texts)) => texts.form,
            _ => Form::Any,
        };
        let own = form.lengths();
        let mut all = Vec::new();
        for wanted in [length.min.checked_sub(1), length.max.checked_add(1)] {
            let wanted = wanted.filter(|it| (own.min..=own.max).contains(it));
            all.extend(wanted.map(|it| quoted(&form.text(it, || 'a'))));
        }
        let first = length.min.max(1);
        if form == Form::Alphanumeric && first <= own.max {
            all.push(quoted(&Form::Any.text(first, || '-')));
        }
        all
    }
}

impl Values {
    /// Values just outside of the bounds.
    fn beside(&self) -> Vec<String> {
        match self {
            Values::Number(numbers) => numbers.beside(),
            Values::Moment(moments) => moments.beside(),
            _ => Vec::new(),
        }
    }
}

impl Numbers {
    fn beside(&self) -> Vec<String> {
        match self {
            Numbers::Whole(bounds) | Numbers::Part { bounds, .. } => {
                let (min, max) = (i128::from(bounds.min), i128::from(bounds.max));
                vec![(min - 1).to_string(), (max + 1).to_string()]
            }
            Numbers::Float(bounds) => {
                let ends = [bounds.min.next_down(), bounds.max.next_up()];
                let finite = ends.into_iter().filter(|end| end.is_finite());
                finite.map(|end| format!("{end:?}")).collect()
            }
            Numbers::Money(bounds) => {
                let ends = [bounds.min.get() - 1, bounds.max.get() + 1];
                let written = |amount: Hundredths| {
                    let mut out = String::new();
                    amount.write(&mut out);
                    out
                };
                ends.into_iter()
                    .filter_map(Hundredths::new)
                    .map(written)
                    .collect()
            }
        }
    }
}

impl Moments {
    fn beside(&self) -> Vec<String> {
        let mut all = Vec::new();
        match self {
            Moments::Date(shape, bounds) => {
                let ends = [
                    bounds.min.and_then(schema::format::Day::previous),
                    bounds.max.and_then(schema::format::Day::next),
                ];
                let held = ends
                    .into_iter()
                    .flatten()
                    .filter(|day| shape.can_hold(*day));
                all.extend(held.map(|day| {
                    let mut out = String::new();
                    shape.write(day, &mut out);
                    quoted(&out)
                }));
            }
            Moments::Time(format, bounds) => {
                let step = step(*format);
                for (end, step) in [(bounds.min, -step), (bounds.max, step)] {
                    let time = end.and_then(|time| moved(time, step));
                    all.extend(time.map(|time| {
                        let mut out = String::new();
                        format.write(time, &mut out);
                        quoted(&out)
                    }));
                }
            }
            Moments::Both(shape, bounds) => {
                let step = step(shape.time);
                for (end, step) in [(bounds.min, -step), (bounds.max, step)] {
                    all.extend(end.and_then(|end| beside(*shape, end, step)));
                }
                // in bounds but for what the formats can't hold
                let inside = bounds.min.or(bounds.max);
                all.extend(inside.into_iter().flat_map(unheld));
                all.push(quoted("2020-06-15T12:00:00.5Z"));
                all.push(quoted("2020-06-15T12:00:01Z"));
            }
        }
        all
    }
}

/// The least that two times of the format are apart, in seconds.
fn step(format: TimeFormat) -> i32 {
    if format.has_seconds() { 1 } else { 60 }
}

fn moved(time: TimeOfDay, seconds: i32) -> Option<TimeOfDay> {
    let (hour, minute) = (i32::from(time.hour()), i32::from(time.minute()));
    let total = u16::try_from(hour * 60 + minute).ok()?;
    let all = i32::from(total) * 60 + i32::from(time.second()) + seconds;
    let part = |value: i32| u16::try_from(value).ok();
    TimeOfDay::new(
        part(all / 3600)?,
        part(all / 60 % 60)?,
        part(all.rem_euclid(60))?,
    )
    .filter(|_| all >= 0)
}

/// The moment next to one, on the neighbouring day at midnight.
fn beside(shape: MomentShape, moment: Moment, seconds: i32) -> Option<String> {
    let last = if shape.time.has_seconds() { 59 } else { 0 };
    let next = match moved(moment.time, seconds) {
        Some(time) => Moment { time, ..moment },
        None if seconds < 0 => Moment {
            day: moment.day.previous()?,
            time: TimeOfDay::new(23, 59, last)?,
        },
        None => Moment {
            day: moment.day.next()?,
            time: TimeOfDay::new(0, 0, 0)?,
        },
    };
    shape.can_hold(next).then(|| {
        let mut out = String::new();
        shape.write(next, &mut out);
        quoted(&out)
    })
}

/// The moment in ISO form with seconds, and with a part of one.
fn unheld(moment: Moment) -> [String; 2] {
    let mut text = String::new();
    MomentShape::new(DateShape::new(None, None), None).write(moment, &mut text);
    let text = text.replacen(' ', "T", 1);
    let minutes = text.get(..16).unwrap_or(&text);
    [
        quoted(&format!("{minutes}:59Z")),
        quoted(&format!("{text}.5Z")),
    ]
}
