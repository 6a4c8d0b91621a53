//! Properties (b) and (c): on random bodies the doors agree to the byte, and a normal form is a fixed
//! point.

use crate::bodies::Maker;
use crate::lookups::Known;
use crate::{compare, is_fixed_point, source, Agreed};
use random::chance::Chance;
use random::{Door, RANDOM};
use runtime::validate::{Checker, Lookups};

const BODIES: u64 = 200;
const SEED: u64 = 0x00F1_E1D5;

#[derive(Default)]
struct Count {
    rejected: usize,
    faulty: usize,
    clean: usize,
    unjudged: usize,
}

/// Runs the bodies of one schema; the first that the doors differ about ends it.
fn run(door: &Door, number: u64, count: &mut Count) -> Result<(), String> {
    let schema = source(door);
    let checker = Checker::new(&schema).map_err(|problems| problems.to_string())?;
    let maker = Maker {
        schema: &schema,
        checker: &checker,
    };
    for body in 0..BODIES {
        let mut chance = Chance::seeded(SEED + number * BODIES + body);
        let bytes = maker.body(&mut chance);
        let lookups = (!chance.one_in(4)).then_some(&Known as &dyn Lookups);
        let shown = |what: String| {
            format!(
                "{} body {body}: {what}\n  body    {}",
                door.name,
                String::from_utf8_lossy(&bytes)
            )
        };
        let dynamic = checker.check_with(&bytes, lookups);
        let typed = (door.read)(&bytes, lookups, Some(&Known));
        match compare(&dynamic, &typed).map_err(shown)? {
            Agreed::Rejected => count.rejected += 1,
            Agreed::Faulty => count.faulty += 1,
            Agreed::Clean => count.clean += 1,
        }
        let Ok(checked) = dynamic else { continue };
        is_fixed_point(&checker, &checked, lookups).map_err(shown)?;
        if let Ok(read) = typed {
            // the struct, judged later with look-ups, gets what its stored form gets
            count.unjudged += usize::from(!checked.is_fully_judged());
            let later = checker.check_with(checked.normal_form().as_bytes(), Some(&Known));
            let later = later.map_err(|error| shown(error.to_string()))?;
            if later.errors_json() != read.later.errors_json() {
                let (one, other) = (later.errors_json(), read.later.errors_json());
                return Err(shown(format!(
                    "judged later\n  dynamic {one}\n  typed   {other}"
                )));
            }
        }
    }
    Ok(())
}

#[test]
fn the_typed_door_and_the_dynamic_one_agree_to_the_byte_and_normal_forms_are_fixed_points() {
    let mut count = Count::default();
    let wrong: Vec<String> = RANDOM
        .iter()
        .zip(0..)
        .filter_map(|(door, number)| run(door, number, &mut count).err())
        .collect();
    let Count {
        rejected,
        faulty,
        clean,
        unjudged,
    } = count;
    let all = rejected + faulty + clean;
    println!("{all} bodies for {} schemas: {clean} clean ({unjudged} not fully judged), {faulty} faulty, {rejected} rejected", RANDOM.len());
    assert!(
        wrong.is_empty(),
        "{} schemas\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        clean * 5 > all && faulty * 4 > all && rejected * 20 > all,
        "a kind is too rare"
    );
}
