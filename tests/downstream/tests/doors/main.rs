//! The typed doors of a user's crate against the dynamic one, on real records. What the verdicts
//! must be is checked in with the fixtures; here they only have to agree.

mod access;
mod clean;
mod faulty;
mod patches;
mod stored;
mod values;

use runtime::schema::{Origin, Schema};
use runtime::validate::Checker;
use tests::fixture;

/// The dynamic door of a fixture's schema.
fn checker(schema: &str) -> Checker {
    let text = fixture(&format!("schemas/{schema}.json"));
    let document = Schema::read(&text, Origin::Elsewhere).unwrap();
    Checker::new(&document.schema).unwrap()
}

/// Calls a generic function for every type of this crate, with the name of its schema's fixture:
/// once for what `build.rs` generated, once for what is committed, and for the one by hand.
macro_rules! for_every_type {
    ($check:ident) => {{
        use downstream::committed as c;
        use downstream::generated as g;
        let counts = [
            $check::<downstream::by_hand::Airport>("airport"),
            $check::<g::airport::Airport>("airport"),
            $check::<c::airport::Airport>("airport"),
            $check::<g::country::Country>("country"),
            $check::<c::country::Country>("country"),
            $check::<g::currency::Currency>("currency"),
            $check::<c::currency::Currency>("currency"),
            $check::<g::customer::Customer>("customer"),
            $check::<c::customer::Customer>("customer"),
            $check::<g::every_type::EveryType>("every_type"),
            $check::<c::every_type::EveryType>("every_type"),
            $check::<g::hostile_names::HostileNames>("hostile_names"),
            $check::<c::struct_option_less_t_greater_star_crab_star_number::StructOptionLessTGreaterStarCrabStarNumber>(
                "hostile_names",
            ),
            $check::<g::language::Language>("language"),
            $check::<c::language::Language>("language"),
            $check::<g::meter_reading::MeterReading>("no_primary_key"),
            $check::<c::meter_reading::MeterReading>("no_primary_key"),
            $check::<g::product_data_sheet::ProductDataSheet>("five_hundred"),
            $check::<c::product_data_sheet::ProductDataSheet>("five_hundred"),
            $check::<g::subdivision::Subdivision>("subdivision"),
            $check::<c::subdivision::Subdivision>("subdivision"),
        ];
        counts.into_iter().sum::<usize>()
    }};
}
use for_every_type;
