//! Property (d): what a diff says of values is never too little. Where it names no rule, a record without faults is one
//! without faults on the other side: stored and carried over, sent again by who knows the old schema, and read by
//! who knows the old one of what the new one lets in.

use crate::lookups::Known;
use crate::{source, values};
use random::chance::Chance;
use random::RANDOM;
use runtime::schema::diff::{Diff, Reason, Semver};
use runtime::schema::json::write_string;
use runtime::schema::{Field, Schema};
use runtime::validate::{rules_of, Checked, Checker, Rule};

const PAIRS: u64 = 12_000;
const BODIES: usize = 24;
const SEED: u64 = 0x00D1_FF00;

/// How often a way was said to be free of faults, and was tried; how often it was said not to be, and was seen so.
#[derive(Default)]
struct Count {
    free: usize,
    tried: usize,
    doubted: usize,
    seen: usize,
}

fn pool() -> Vec<Field> {
    let schemas: Vec<Schema> = RANDOM.iter().map(source).collect();
    let fields = schemas.into_iter().flat_map(|schema| schema.fields);
    fields.filter(|field| field.active).collect()
}

/// A field, and what may have become of it.
fn pair(chance: &mut Chance, pool: &[Field]) -> (Field, Field) {
    let old = pool[chance.below(pool.len())].clone();
    let is_same_type = |field: &&Field| field.data_type == old.data_type;
    let other = if chance.one_in(4) {
        pool[chance.below(pool.len())].clone()
    } else {
        let same: Vec<&Field> = pool.iter().filter(is_same_type).collect();
        same[chance.below(same.len())].clone()
    };
    let mut new = if chance.one_in(3) || other.data_type != old.data_type {
        other.clone()
    } else {
        mixed(chance, &old, &other)
    };
    if !chance.one_in(3) {
        new.required = old.required;
        new.multivalue = old.multivalue;
        new.primary_key = old.primary_key;
    }
    new.id.clone_from(&old.id);
    if !chance.one_in(8) {
        new.name.clone_from(&old.name);
    }
    (old, new)
}

/// The old field with some settings of another of its type.
fn mixed(chance: &mut Chance, old: &Field, other: &Field) -> Field {
    let mut new = old.clone();
    macro_rules! take {
        ($($setting:ident),*) => {
            $(if chance.one_in(3) { new.$setting = other.$setting.clone(); })*
        };
    }
    take!(
        required,
        multivalue,
        pii,
        min,
        max,
        validation_rules,
        boolean_words,
        date_format,
        date_separator,
        time_format,
        max_width,
        max_height,
        max_size,
        description
    );
    if chance.one_in(3) {
        new.picklist_type = other.picklist_type;
        new.static_picklist.clone_from(&other.static_picklist);
        new.data_domain_id.clone_from(&other.data_domain_id);
    } else if let Some(codes) = new.static_picklist.as_mut().filter(|it| !it.is_empty()) {
        codes.remove(chance.below(codes.len()));
    }
    new
}

fn schema(field: &Field) -> Schema {
    Schema {
        id: "s1".to_owned(),
        name: "Pair".to_owned(),
        fields: vec![field.clone()],
        ..Schema::default()
    }
}

fn body(chance: &mut Chance, field: &Field) -> String {
    let mut body = String::from("{");
    write_string(&mut body, &field.name);
    body.push(':');
    body.push_str(&values::member(chance, field));
    body.push('}');
    body
}

/// A record without faults; one without its primary key is never stored.
fn judged(checker: &Checker, schema: &Schema, body: &str) -> Option<Checked> {
    let checked = checker.check_with(body.as_bytes(), Some(&Known)).ok()?;
    let has_key = schema.primary_key().is_none() || checked.primary_key().is_some();
    (checked.is_clean() && has_key).then_some(checked)
}

/// Notes what came of a way; the first record that refutes it is an error.
fn note(
    count: &mut Count,
    reasons: &[Reason],
    is_clean: bool,
    told: impl Fn() -> String,
) -> Result<(), String> {
    if !reasons.is_empty() {
        count.doubted += 1;
        count.seen += usize::from(!is_clean);
        return Ok(());
    }
    count.tried += 1;
    if is_clean {
        Ok(())
    } else {
        Err(told())
    }
}

fn try_pair(number: u64, pool: &[Field], counts: &mut [Count; 3]) -> Result<(), String> {
    let mut chance = Chance::seeded(SEED + number);
    let (old, new) = pair(&mut chance, pool);
    let (old, new) = (schema(&old), schema(&new));
    let (Ok(before), Ok(after)) = (Checker::new(&old), Checker::new(&new)) else {
        return Ok(());
    };
    let diff = Diff::of(&old, &new);
    let verdicts = diff.verdicts();
    let lists = [&verdicts.data, &verdicts.writers, &verdicts.readers];
    for (count, reasons) in counts.iter_mut().zip(lists) {
        count.free += usize::from(reasons.is_empty());
    }
    let [stored, sent, shown] = counts;
    let told = |way: &str, body: &str| {
        let (old, new) = (old.to_json(), new.to_json());
        format!("pair {number}, {way}: {body}\n  old {old}\n  new {new}")
    };
    for _ in 0..BODIES {
        let written = body(&mut chance, &old.fields[0]);
        if let Some(checked) = judged(&before, &old, &written) {
            let carried = diff.carry(checked.normal_form()).unwrap_or_default();
            let is_clean = judged(&after, &new, &carried).is_some();
            note(stored, &verdicts.data, is_clean, || {
                told("stored", &carried)
            })?;
            let is_clean = judged(&after, &new, &written).is_some();
            note(sent, &verdicts.writers, is_clean, || told("sent", &written))?;
        }
        let written = body(&mut chance, &new.fields[0]);
        if let Some(checked) = judged(&after, &new, &written) {
            let read = checked.normal_form();
            let is_clean = judged(&before, &old, read).is_some();
            note(shown, &verdicts.readers, is_clean, || told("shown", read))?;
        }
    }
    Ok(())
}

#[test]
fn where_a_diff_names_no_rule_a_record_without_faults_keeps_having_none() {
    let pool = pool();
    let mut counts = <[Count; 3]>::default();
    let wrong: Vec<String> = (0..PAIRS)
        .filter_map(|number| try_pair(number, &pool, &mut counts).err())
        .collect();
    for (way, count) in ["stored", "sent", "shown"].iter().zip(&counts) {
        let Count {
            free,
            tried,
            doubted,
            seen,
        } = count;
        println!("{way}: {free} of {PAIRS} pairs free, {tried} records held; {doubted} doubted, {seen} of them faulty");
        assert!(*tried > 10_000 && *seen > 10_000, "{way}: too few records");
    }
    assert!(
        wrong.is_empty(),
        "{} pairs\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
}

#[test]
fn a_schema_does_not_differ_from_itself_and_pairs_are_told_from_both_ends() {
    let schemas: Vec<Schema> = RANDOM.iter().map(source).collect();
    for (old, new) in schemas.iter().zip(schemas.iter().skip(1)) {
        let own = Diff::of(old, old);
        assert!(own.is_empty() && own.verdicts().api == Semver::None);
        let (there, back) = (Diff::of(old, new), Diff::of(new, old));
        let told = |diff: &Diff<'_>, is_back: bool| {
            let sides = |from: &Option<String>, to: &Option<String>| {
                let (from, to) = (from.clone(), to.clone());
                if is_back {
                    (to, from)
                } else {
                    (from, to)
                }
            };
            let mut all: Vec<_> = diff
                .changes
                .iter()
                .map(|change| {
                    let id = change.field.as_ref().map(|field| field.id.clone());
                    let property = change.property.clone();
                    (id, property, sides(&change.from, &change.to))
                })
                .collect();
            all.sort();
            all
        };
        assert_eq!(told(&there, false), told(&back, true));
        assert_eq!(there.verdicts().api, back.verdicts().api);
    }
}

#[test]
fn a_diff_misses_no_property() {
    let bare = |schema: &Schema| Schema {
        version: None,
        ..schema.without_provenance()
    };
    let schemas: Vec<Schema> = RANDOM.iter().map(source).collect();
    for (old, other) in schemas.iter().zip(schemas.iter().skip(1)) {
        // one field of another schema in the place of one of its own
        for (at, field) in other.fields.iter().enumerate().take(old.fields.len()) {
            let mut new = old.clone();
            new.fields[at] = Field {
                id: old.fields[at].id.clone(),
                ..field.clone()
            };
            let is_same = bare(old) == bare(&new);
            assert_eq!(Diff::of(old, &new).is_empty(), is_same, "{}", new.to_json());
        }
    }
}

#[test]
fn generated_code_is_read_back_as_the_schema_that_it_was_generated_of() {
    let bare = |schema: &Schema| schema.without_provenance();
    for door in RANDOM {
        let input = generator::Input::new("random.json", door.document);
        let files = generator::generate(&[input], &generator::Config::new()).unwrap();
        let file = files.iter().find(|file| file.path != "mod.rs").unwrap();
        let input = generator::Input::new("random.rs", &file.text);
        let schemas = generator::read_generated(&input).unwrap();
        let schema = source(door);
        let diff = Diff::of(&schema, &schemas[0]);
        assert!(diff.is_empty(), "{}: {:?}", door.name, diff.changes);
        assert_eq!(bare(&schema).version, schemas[0].version);
    }
}

#[test]
fn no_fault_is_of_a_rule_that_is_not_told_of_its_field() {
    let pool = pool();
    let mut faults = 0;
    for (field, number) in pool.iter().zip(0..) {
        let schema = schema(field);
        let checker = Checker::new(&schema).unwrap();
        let rules = rules_of(field);
        let told: Vec<_> = rules
            .iter()
            .map(|rule| (rule.code(), rule.to_string()))
            .collect();
        let mut chance = Chance::seeded(SEED + number);
        for _ in 0..60 {
            let body = body(&mut chance, field);
            let checked = checker.check_with(body.as_bytes(), Some(&Known));
            for fault in checked.iter().flat_map(|checked| checked.faults()) {
                let rule = (fault.rule().code(), fault.rule().to_string());
                assert!(told.contains(&rule), "{rule:?} of {field:?}\n{told:?}");
                faults += 1;
            }
        }
    }
    assert!(faults > 10_000, "only {faults} faults");
}

#[test]
fn rules_of_a_diff_have_the_codes_of_faults_and_a_few_of_their_own() {
    let own = [
        "gone",
        "renamed",
        "unknown_key",
        "primary_key",
        "unjudged",
        "shape",
        "data_type",
        "format",
        "bound",
    ];
    for reason in Reason::ALL {
        let mut codes = Rule::CODES.iter();
        let is_fault = codes.any(|(code, _)| *code == reason.code());
        assert_ne!(is_fault, own.contains(&reason.code()), "{reason}");
    }
}
