//! What may be typed next in the field for queries: fields, comparisons, codes of picklists, faults by field and rule. It
//! knows the schemas alone and asks the store nothing; of fields that are personal it proposes no values to who may not
//! see them. A script shows it while one types; without it the language is explained beside the field.

mod typed;

use super::asked::ORDER;
use super::faults::quoted;
use super::places::Place;
use super::texts::Texts;
use super::visit::{Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use schema::{BoundKind, DataType, Field, PicklistType};
use service::catalog::{Resource, Verb};
use service::judgement::rules_of;
use service::search::{FieldName, QUERY_LENGTH_MAX, in_quotes};
use typed::{Part, start_of_last};

/// What is proposed at most.
const PROPOSED_MAX: usize = 20;
/// Signs by which values are compared.
const COMPARISONS: [&str; 4] = [">", ">=", "<", "<="];

#[derive(Template)]
#[template(path = "complete.html")]
struct Completions {
    proposed: Vec<Proposed>,
}

/// One of what may be typed.
#[derive(Debug, PartialEq, Eq)]
struct Proposed {
    /// What stands in the field once it is taken, from `from` on.
    text: String,
    /// What it means.
    hint: String,
    /// How many units of UTF-16 stand before it, as scripts count.
    from: usize,
}

/// A field, and where it is.
#[derive(Clone, Copy)]
struct Known<'p> {
    field: &'p Field,
    place: &'p Place,
}

/// In a dataset.
pub(super) async fn in_dataset(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let place = Place::of(&visit, &visit.ids)?;
    if !visit.is_part {
        return Ok(visit.see(&format!("/datasets/{}", place.id)));
    }
    let places = if place.may_search {
        vec![place]
    } else {
        Vec::new()
    };
    answer(&visit, &places, Order::May)
}

/// Over everything that the visitor may see.
pub(super) async fn everywhere(visit: Visit) -> Result<Response<Body>, Failure> {
    if !visit.is_part {
        return Ok(visit.see("/search"));
    }
    let mut places = Place::all(&visit)?;
    places.retain(|place| place.may_search);
    answer(&visit, &places, Order::None)
}

/// Whether what is found may be put in an order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    May,
    None,
}

fn answer<P>(visit: &Visit<P>, places: &[Place], order: Order) -> Result<Response<Body>, Failure> {
    let typed = visit.parameter("q").unwrap_or_default();
    let is_short = typed.chars().count() <= QUERY_LENGTH_MAX;
    let proposed = if is_short && !places.is_empty() {
        proposed(&typed, places, (order, visit.texts))
    } else {
        Vec::new()
    };
    shown(&Completions { proposed })
}

/// What may stand where a text ends.
fn proposed(typed: &str, places: &[Place], (order, texts): (Order, &Texts)) -> Vec<Proposed> {
    let (before, word) = typed.split_at(start_of_last(typed));
    let fields: Vec<Known<'_>> = places.iter().flat_map(fields_of).collect();
    let found = match Part::of(word) {
        Part::Begun(prefix) => begun(&prefix, &fields, (order, texts)),
        Part::Fault { field, rule } => {
            let of_field = |field: &Field| format!("fault:{}", quoted(&field.name));
            let begun = rule
                .is_none()
                .then(|| named(&field, &fields, texts, of_field));
            let mut found = begun.unwrap_or_default();
            found.extend(faults(&field, rule.unwrap_or_default(), &fields, texts));
            found
        }
        Part::Is => vec![("is:faulty ".to_owned(), texts.query.faulty.to_owned())],
        Part::Value { field, value } => values(&field, value, &fields, texts),
        Part::Order { sign, field } if order == Order::May => orders(sign, field, &fields, texts),
        Part::Order { .. } | Part::Nothing => Vec::new(),
    };
    let from = before.encode_utf16().count();
    // what stands there already is no news
    let found = found
        .into_iter()
        .filter(|(text, _)| text.trim_end() != word);
    found
        .take(PROPOSED_MAX)
        .map(|(text, hint)| Proposed { text, hint, from })
        .collect()
}

fn fields_of(place: &Place) -> impl Iterator<Item = Known<'_>> {
    let active = place.version().schema.active_fields();
    active.map(move |field| Known { field, place })
}

/// What is proposed, and what it means.
type Found = Vec<(String, String)>;

/// Words of the language and fields that begin as is typed.
fn begun(prefix: &str, fields: &[Known<'_>], (order, texts): (Order, &Texts)) -> Found {
    let own = &texts.query;
    let words = [
        ("is:faulty ", own.faulty),
        ("fault:", own.fault),
        (ORDER, own.order),
        ("NOT ", own.not),
        ("AND ", own.and),
        ("OR ", own.or),
    ];
    let words = words.into_iter().filter(|(word, _)| {
        // operators are proposed once one begins to write them
        let is_for_now = !prefix.is_empty() || !word.starts_with(char::is_uppercase);
        word.starts_with(prefix) && is_for_now && (*word != ORDER || order == Order::May)
    });
    let mut found: Found = words
        .map(|(word, hint)| (word.to_owned(), hint.to_owned()))
        .collect();
    found.extend(named(prefix, fields, texts, |field| {
        format!("{}:", quoted(&field.name))
    }));
    found
}

/// Fields by the begin of their names, then of words in them; each name once.
fn named(
    prefix: &str,
    fields: &[Known<'_>],
    texts: &Texts,
    text: impl Fn(&Field) -> String,
) -> Found {
    let prefix = prefix.to_lowercase();
    let mut found: Vec<(bool, String, String)> = Vec::new();
    for Known { field, .. } in fields {
        let name = field.name.to_lowercase();
        let is_first = name.starts_with(&prefix);
        let mut words = name.split(|sign: char| !sign.is_alphanumeric());
        if !is_first && !words.any(|word| word.starts_with(&prefix)) {
            continue;
        }
        let text = text(field);
        if !found.iter().any(|(_, own, _)| *own == text) {
            let kind = texts.schemas.of_type(field.data_type.facts().name);
            found.push((!is_first, text, kind.to_owned()));
        }
    }
    found.sort_by_key(|(is_later, ..)| *is_later);
    found
        .into_iter()
        .map(|(_, text, hint)| (text, hint))
        .collect()
}

/// Fields by which what is found may be put in an order.
fn orders(sign: &str, prefix: &str, fields: &[Known<'_>], texts: &Texts) -> Found {
    let sortable = fields.iter();
    let sortable = sortable.filter(|known| known.place.sorts_by(known.field));
    let sortable: Vec<_> = sortable.copied().collect();
    named(prefix, &sortable, texts, |field| {
        format!("{ORDER}{sign}{} ", quoted(&field.name))
    })
}

/// The fields that a name means in each place, as queries compare them.
fn of_name<'f, 'p>(name: &str, fields: &'f [Known<'p>]) -> Vec<&'f Known<'p>> {
    let wanted = FieldName::of(name);
    let in_place = |fields: &'f [Known<'p>]| {
        let names: Vec<_> = fields
            .iter()
            .map(|known| (FieldName::of(&known.field.name), known))
            .collect();
        let meant = wanted.meant(&names, |(name, _)| name);
        meant.map(|(_, known)| *known).collect::<Vec<_>>()
    };
    fields
        .chunk_by(|one, other| std::ptr::eq(one.place, other.place))
        .flat_map(in_place)
        .collect()
}

/// The rules that a field may break, by their codes.
fn faults(name: &str, typed: &str, fields: &[Known<'_>], texts: &Texts) -> Found {
    let mut found: Found = Vec::new();
    for Known { field, .. } in of_name(name, fields) {
        for rule in rules_of(field) {
            let code = rule.code();
            let text = format!("fault:{}/{code} ", quoted(&field.name));
            if code.starts_with(typed) && !found.iter().any(|(own, _)| *own == text) {
                found.push((text, texts.rule(code).to_owned()));
            }
        }
    }
    found
}

/// What may stand behind a field's colon.
fn values(name: &str, typed: &str, fields: &[Known<'_>], texts: &Texts) -> Found {
    let bare = typed.strip_prefix('=').unwrap_or(typed);
    let bare = bare.strip_prefix('"').unwrap_or(bare).to_lowercase();
    let mut found: Found = Vec::new();
    let mut add = |text: String, hint: &str| {
        if !found.iter().any(|(own, _)| *own == text) {
            found.push((text, hint.to_owned()));
        }
    };
    for known in of_name(name, fields) {
        let Known { field, place } = known;
        let field_name = quoted(&field.name);
        if field.is_searched() && !place.masks(field) {
            for (code, meaning) in codes(known, texts) {
                let is_meant = |text: &str| text.to_lowercase().starts_with(&bare);
                if is_meant(&code) || is_meant(&meaning) {
                    add(format!("{field_name}:{} ", whole(&code)), &meaning);
                }
            }
            if typed.is_empty() {
                add(format!("{field_name}:="), texts.query.is_whole);
            }
        }
        if "none".starts_with(typed) {
            add(format!("{field_name}:none "), texts.query.none);
        }
        if is_compared(field) && !place.masks(field) {
            for sign in COMPARISONS.iter().filter(|sign| sign.starts_with(typed)) {
                add(format!("{field_name}:{sign}"), texts.query.comparison);
            }
        }
    }
    found
}

/// The values that a field may have, where they are few and known, each with what it means.
fn codes(known: &Known<'_>, texts: &Texts) -> Vec<(String, String)> {
    let Known { field, place } = known;
    let described = |code: &str, meaning: &str| (code.to_owned(), meaning.to_owned());
    match (field.data_type, field.picklist_type) {
        (DataType::Boolean, _) => vec![described("true", texts.yes), described("false", texts.no)],
        (DataType::Picklist, Some(PicklistType::Static)) => {
            let entries = field.static_picklist.iter().flatten();
            entries
                .map(|it| described(&it.code, it.description.as_deref().unwrap_or_default()))
                .collect()
        }
        (DataType::Picklist, _) => {
            use service::Permit as _;
            let caller = place.permit.caller();
            let id = field.data_domain_id.as_deref().unwrap_or_default();
            let domain = caller.catalog().domains.get(id);
            let may_see = caller.rights().may(Resource::Domains, Verb::View);
            let own = domain.filter(|it| may_see && it.tenant == caller.tenant());
            let all = own.map(|domain| domain.codes.iter()).into_iter().flatten();
            all.map(|it| described(&it.code, &it.description)).collect()
        }
        _ => Vec::new(),
    }
}

/// The values that a field of a dataset may have, where they are few and known, each with what it means.
pub(super) fn known_codes(field: &Field, place: &Place, texts: &Texts) -> Vec<(String, String)> {
    codes(&Known { field, place }, texts)
}

/// Whether the values of a field are compared by what they mean.
pub(super) fn is_compared(field: &Field) -> bool {
    field.data_type.facts().bounds == BoundKind::Value
}

/// A value as it stands behind a sign that compares.
pub(super) fn operand(text: &str) -> String {
    let is_bare =
        |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '+' | '.' | ':' | '/');
    if text.chars().all(is_bare) {
        text.to_owned()
    } else {
        in_quotes(text)
    }
}

/// A whole value as it stands behind a field's colon.
pub(super) fn whole(text: &str) -> String {
    if text.chars().all(char::is_alphanumeric) {
        format!("={text}")
    } else {
        format!("={}", in_quotes(text))
    }
}

/// A value as it stands in a query.
pub(super) fn value(text: &str) -> String {
    let is_word = !matches!(text, "" | "none" | "AND" | "OR" | "NOT");
    if is_word && text.chars().all(char::is_alphanumeric) {
        text.to_owned()
    } else {
        in_quotes(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_would_mean_something_else_stands_in_quotes() {
        for (text, written) in [
            ("DE", "DE"),
            ("none", "\"none\""),
            ("OR", "\"OR\""),
            ("A B", "\"A B\""),
            (">5", "\">5\""),
            ("a\"b", "\"a\\\"b\""),
            ("a\\", "\"a\\\\\""),
        ] {
            assert_eq!(value(text), written);
        }
    }
}
