//! The form beside the field for queries by which records are filtered by a field without knowing the language: a field is chosen
//! first, then what is asked of it. It writes this into the query, and by that teaches it. It works without a script.

use super::complete::{is_compared, known_codes, operand, value, whole};
use super::faults::quoted;
use super::places::Place;
use super::texts::Texts;
use super::values::is_number;
use super::visit::Visit;
use crate::http::error::Failure;
use schema::{DataType, Field};
use service::search::Quotes;

/// Where the address says which field is chosen, what is asked of it, and the value that it is compared with.
const FIELD: &str = "by";
const RELATION: &str = "is";
const VALUE: &str = "value";
/// Codes to choose among, at most; where there are more, one is typed.
const CODES_MAX: usize = 300;
/// What finds the records with faults.
pub(super) const FAULTY: &str = "is:faulty";
/// What finds those with faults of the field whose name stands behind it.
const FAULT_OF: &str = "fault:";

/// What may be asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Is,
    Has,
    Above,
    From,
    Below,
    UpTo,
    None,
    Faulty,
}

impl Relation {
    const ALL: [Relation; 8] = [
        Relation::Is,
        Relation::Has,
        Relation::Above,
        Relation::From,
        Relation::Below,
        Relation::UpTo,
        Relation::None,
        Relation::Faulty,
    ];

    /// As the address says it.
    fn code(self) -> &'static str {
        match self {
            Relation::Is => "is",
            Relation::Has => "has",
            Relation::Above => "above",
            Relation::From => "from",
            Relation::Below => "below",
            Relation::UpTo => "up-to",
            Relation::None => "none",
            Relation::Faulty => "faulty",
        }
    }

    fn label(self, texts: &Texts) -> &'static str {
        let own = &texts.query;
        match self {
            Relation::Is => own.is_whole,
            Relation::Has => own.has,
            Relation::Above => own.above,
            Relation::From => own.from,
            Relation::Below => own.below,
            Relation::UpTo => own.up_to,
            Relation::None => own.none,
            Relation::Faulty => own.faulty,
        }
    }

    /// The sign behind the field's colon of one that compares values.
    fn sign(self) -> Option<&'static str> {
        match self {
            Relation::Above => Some(">"),
            Relation::From => Some(">="),
            Relation::Below => Some("<"),
            Relation::UpTo => Some("<="),
            Relation::Is | Relation::Has | Relation::None | Relation::Faulty => None,
        }
    }

    fn takes_value(self) -> bool {
        !matches!(self, Relation::None | Relation::Faulty)
    }

    /// Whether it is answered of a field; of any field, where none is named.
    fn is_of(self, field: Option<&Field>, place: &Place) -> bool {
        let Some(field) = field else {
            return matches!(self, Relation::Has | Relation::Faulty);
        };
        match self {
            // of what one does not see, these tell no value
            Relation::None | Relation::Faulty => true,
            _ if place.masks(field) || field.data_type.is_file() => false,
            Relation::Is => field.is_searched(),
            // a code is chosen whole
            Relation::Has => field.is_searched() && !is_chosen_from_few(field),
            _ => is_compared(field),
        }
    }

    /// What the language says for it.
    fn written(self, field: Option<&Field>, text: &str) -> String {
        let name = field.map(|field| quoted(&field.name));
        match (self, name) {
            (Relation::Faulty, None) => FAULTY.to_owned(),
            (Relation::Faulty, Some(name)) => format!("{FAULT_OF}{name}"),
            (Relation::None, name) => format!("{}:none", name.unwrap_or_default()),
            (_, None) => value(text),
            (Relation::Is, Some(name)) => format!("{name}:{}", whole(text)),
            (relation, Some(name)) => match relation.sign() {
                Some(sign) => format!("{name}:{sign}{}", operand(text)),
                None => format!("{name}:{}", value(text)),
            },
        }
    }
}

/// Whether the values of a field are chosen from a few.
fn is_chosen_from_few(field: &Field) -> bool {
    matches!(field.data_type, DataType::Boolean | DataType::Picklist)
}

/// The form.
#[derive(Default)]
pub(super) struct ByField {
    pub(super) fields: Vec<FieldChoice>,
    pub(super) chosen: Option<ChosenField>,
}

pub(super) struct FieldChoice {
    /// Empty for any field.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) is_chosen: bool,
}

/// What may be asked of the field that was chosen.
pub(super) struct ChosenField {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) relations: Vec<RelationChoice>,
    pub(super) takes_value: bool,
    /// The values that it may have, where they are few and known, each with what it means.
    pub(super) codes: Vec<(String, String)>,
    pub(super) value: String,
    pub(super) is_number: bool,
    /// Whether a value was missing.
    pub(super) lacks_value: bool,
}

pub(super) struct RelationChoice {
    pub(super) code: &'static str,
    pub(super) label: &'static str,
    pub(super) is_chosen: bool,
}

/// What was chosen: none, or a field, if one is named that is there.
enum Chosen<'p> {
    Nothing,
    Field(Option<&'p Field>),
}

impl<'p> Chosen<'p> {
    fn of<P>(visit: &Visit<P>, place: &'p Place) -> Self {
        let Some(id) = visit.parameter(FIELD) else {
            return Chosen::Nothing;
        };
        if id.is_empty() {
            return Chosen::Field(None);
        }
        let mut active = place.version().schema.active_fields();
        let own = active.find(|field| field.id == id);
        own.map_or(Chosen::Nothing, |field| Chosen::Field(Some(field)))
    }
}

impl ByField {
    /// As it is asked for.
    pub(super) fn of<P>(visit: &Visit<P>, place: &Place) -> Self {
        let chosen = Chosen::of(visit, place);
        let is_chosen = |id: &str| match &chosen {
            Chosen::Nothing => false,
            Chosen::Field(field) => field.map_or("", |field| &field.id) == id,
        };
        let any = FieldChoice {
            is_chosen: is_chosen(""),
            id: String::new(),
            name: visit.texts.query.any_field.to_owned(),
        };
        let active = place.version().schema.active_fields();
        let active = active.map(|field| FieldChoice {
            is_chosen: is_chosen(&field.id),
            id: field.id.clone(),
            name: field.name.clone(),
        });
        let fields = std::iter::once(any).chain(active).collect();
        let chosen = match chosen {
            Chosen::Nothing => None,
            Chosen::Field(field) => Some(ChosenField::of(visit, place, field)),
        };
        ByField { fields, chosen }
    }
}

impl ChosenField {
    fn of<P>(visit: &Visit<P>, place: &Place, field: Option<&Field>) -> Self {
        let texts = visit.texts;
        let asked = visit.parameter(RELATION);
        let offered = Relation::ALL.into_iter();
        let offered: Vec<_> = offered.filter(|it| it.is_of(field, place)).collect();
        let takes_value = offered.iter().any(|it| it.takes_value());
        let codes = match field {
            Some(field) if takes_value => known_codes(field, place, texts),
            _ => Vec::new(),
        };
        let relations = offered.iter().map(|relation| RelationChoice {
            code: relation.code(),
            label: relation.label(texts),
            is_chosen: asked.as_deref() == Some(relation.code()),
        });
        ChosenField {
            id: field.map_or_else(String::new, |field| field.id.clone()),
            name: field
                .map_or(texts.query.any_field, |field| &field.name)
                .to_owned(),
            relations: relations.collect(),
            takes_value,
            codes: if codes.len() > CODES_MAX {
                Vec::new()
            } else {
                codes
            },
            value: visit.parameter(VALUE).unwrap_or_default(),
            is_number: field.is_some_and(is_number),
            // whoever asked for all of it would not be here again
            lacks_value: offered.iter().any(|it| asked.as_deref() == Some(it.code())),
        }
    }
}

/// A query with what the form asks for behind it; none, where it does not ask, or lacks a value.
pub(super) fn added(visit: &Visit<String>, query: &str) -> Result<Option<String>, Failure> {
    let Some(code) = visit.parameter(RELATION) else {
        return Ok(None);
    };
    let place = Place::of(visit, &visit.ids)?;
    let Chosen::Field(field) = Chosen::of(visit, &place) else {
        return Ok(None);
    };
    let mut offered = Relation::ALL.into_iter();
    let asked = offered.find(|it| it.code() == code && it.is_of(field, &place));
    let text = visit.parameter(VALUE).unwrap_or_default();
    let text = text.trim();
    let asked = asked.filter(|it| place.may_search && (!it.takes_value() || !text.is_empty()));
    Ok(asked.map(|relation| joined(query, &relation.written(field, text))))
}

/// A query with one form more, which is asked for beside all that it asks for.
fn joined(query: &str, form: &str) -> String {
    let mut quotes = Quotes::default();
    let words = query.split(|sign: char| {
        let is_quoted = quotes.pass(sign);
        !is_quoted && is_between(sign)
    });
    let (mut is_either, mut is_there) = (false, false);
    for word in words {
        is_either |= word == "OR";
        is_there |= word == form;
    }
    match (query, is_either) {
        ("", _) => form.to_owned(),
        (_, true) => format!("({query}) {form}"),
        _ if is_there && !query.contains("NOT") => query.to_owned(),
        _ => format!("{query} {form}"),
    }
}

/// Whether a query asks for what is faulty by a word of its own: one in quotes is a text that is looked for.
pub(super) fn asks_for_faulty(query: &str) -> bool {
    let is_faulty = |from: &str| {
        let word = from.split(is_between).next().unwrap_or_default();
        word.eq_ignore_ascii_case(FAULTY)
    };
    faults_asked(query).next().is_some() || from_words(query).any(is_faulty)
}

/// Whether it asks so for the faults of a field, as `fault:Field` does.
pub(super) fn asks_for_faults(query: &str, field: &Field) -> bool {
    let names = [quoted(&field.name), field.name.clone()].map(|name| name.to_lowercase());
    let is_end = |sign: char| sign == '/' || is_between(sign);
    faults_asked(query).any(|rest| {
        let rest = rest.to_lowercase();
        let mut ends = names.iter().filter_map(|name| rest.strip_prefix(&**name));
        ends.any(|end| end.is_empty() || end.starts_with(is_end))
    })
}

/// What stands behind each word of a query that asks for the faults of a field.
fn faults_asked(query: &str) -> impl Iterator<Item = &str> {
    from_words(query).filter_map(|from| {
        let (form, rest) = from.split_at_checked(FAULT_OF.len())?;
        form.eq_ignore_ascii_case(FAULT_OF).then_some(rest)
    })
}

/// A query from each of its words on; what stands in quotes is none of them.
fn from_words(query: &str) -> impl Iterator<Item = &str> {
    let mut quotes = Quotes::default();
    let mut is_behind = true;
    let begins = query.char_indices().filter(move |&(_, sign)| {
        let is_apart = !quotes.pass(sign) && is_between(sign);
        let may_begin = std::mem::replace(&mut is_behind, is_apart);
        may_begin && !is_apart && sign != '"'
    });
    begins.map(move |(at, _)| &query[at..])
}

/// Whether a sign stands between words.
fn is_between(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, '(' | ')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_written_as_the_language_has_it() {
        let field = |name: &str| Field::new("f", name, DataType::String);
        let limit = field("Credit Limit");
        let country = field("Country");
        for (relation, field, text, written) in [
            (Relation::Has, Some(&country), "DE", "Country:DE"),
            (Relation::Has, Some(&country), "a b", "Country:\"a b\""),
            (Relation::Is, Some(&country), "DE", "Country:=DE"),
            (Relation::Is, Some(&country), "A+", "Country:=\"A+\""),
            (Relation::Has, None, "munich", "munich"),
            (Relation::Has, None, "OR", "\"OR\""),
            (
                Relation::Above,
                Some(&limit),
                "1000",
                "\"Credit Limit\":>1000",
            ),
            (Relation::UpTo, Some(&country), "-1.5", "Country:<=-1.5"),
            (Relation::From, Some(&country), "1 2", "Country:>=\"1 2\""),
            (Relation::Below, Some(&country), "10:30", "Country:<10:30"),
            (Relation::None, Some(&limit), "", "\"Credit Limit\":none"),
            (Relation::Faulty, Some(&country), "", "fault:Country"),
            (Relation::Faulty, None, "", "is:faulty"),
        ] {
            assert_eq!(relation.written(field, text), written);
        }
    }

    #[test]
    fn faults_are_asked_for_by_words_and_by_the_name_of_a_field_and_not_by_a_text_in_quotes() {
        for (query, name, of_field, of_any) in [
            ("fault:Day", "Day", true, true),
            ("FAULT:day", "Day", true, true),
            ("a (fault:day/type) b", "Day", true, true),
            ("NOT x (y OR fault:Day)", "Day", true, true),
            ("fault:\"Credit Limit\"/max", "Credit Limit", true, true),
            (
                "NOT (a OR fault:\"Credit Limit\"/max)",
                "Credit Limit",
                true,
                true,
            ),
            ("\"a b\" fault:a_b", "a_b", true, true),
            ("fault:Days", "Day", false, true),
            ("Day:x fault:Night", "Day", false, true),
            ("is:faulty", "Day", false, true),
            ("(Town:Ulm is:faulty)", "Town", false, true),
            ("Name:\"default:x\"", "x", false, false),
            ("Name:\"a fault:x\"", "x", false, false),
            ("Name:\"is:faulty\" \"fault:Day\"", "Day", false, false),
            ("default:x", "x", false, false),
            ("is:faulty_x", "x", false, false),
            ("", "Day", false, false),
        ] {
            let field = Field::new("f", name, DataType::String);
            assert_eq!(asks_for_faults(query, &field), of_field, "{query}");
            assert_eq!(asks_for_faulty(query), of_any, "{query}");
        }
    }

    #[test]
    fn what_is_added_narrows_what_a_query_finds() {
        for (query, form, both) in [
            ("", "is:faulty", "is:faulty"),
            ("a", "is:faulty", "a is:faulty"),
            ("a is:faulty", "is:faulty", "a is:faulty"),
            ("a OR b", "c", "(a OR b) c"),
            ("a \"x OR y\"", "c", "a \"x OR y\" c"),
            ("(a OR b) d", "c", "((a OR b) d) c"),
            ("NOT c", "c", "NOT c c"),
        ] {
            assert_eq!(joined(query, form), both, "{query}");
        }
    }
}
