//! A user's crate. The same schemas become Rust in three ways: `build.rs` generates them
//! ([`generated`]), a folder of generated files is committed ([`committed`]), or someone writes the
//! struct ([`by_hand`]). It judges nothing itself; its tests compare the three.

#![deny(warnings)]

pub mod by_hand;

/// What `build.rs` wrote.
pub mod generated {
    /// The schema `Airport`.
    pub mod airport {
        runtime::include_records!("airport");
    }
    /// The schema `Country`.
    pub mod country {
        runtime::include_records!("country");
    }
    /// The schema `Currency`.
    pub mod currency {
        runtime::include_records!("currency");
    }
    /// The schema `Customer`.
    pub mod customer {
        runtime::include_records!("customer");
    }
    /// The schema `Every Type`.
    pub mod every_type {
        runtime::include_records!("every_type");
    }
    /// The schema whose names try to break out.
    pub mod hostile_names {
        runtime::include_records!("hostile_names");
    }
    /// The schema `Language`.
    pub mod language {
        runtime::include_records!("language");
    }
    /// The schema `Meter Reading`.
    pub mod meter_reading {
        runtime::include_records!("meter_reading");
    }
    /// The schema `Product Data Sheet`.
    pub mod product_data_sheet {
        runtime::include_records!("product_data_sheet");
    }
    /// The schema `Subdivision`.
    pub mod subdivision {
        runtime::include_records!("subdivision");
    }
}

/// What the program generated, committed as it is.
#[path = "../../../fixtures/generated/mod.rs"]
pub mod committed;
