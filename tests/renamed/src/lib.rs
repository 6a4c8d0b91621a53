//! Types that find the runtime by the name in Cargo.toml.

/// What the build script wrote.
#[allow(missing_docs, reason = "the generator writes no docs for a module")]
pub mod city {
    fieldstone::include_records!("city");
}

/// The same by hand.
pub mod by_hand {
    use fieldstone::{Picklist, Record};

    /// A city.
    #[derive(Clone, PartialEq, Record)]
    pub struct City {
        /// What it is called.
        #[field(name = "Name", primary_key)]
        pub name: String,
        /// What it lives by.
        #[field(name = "Kind", picklist)]
        pub kind: Option<Kind>,
    }

    /// What a city lives by.
    #[derive(Clone, Copy, Debug, PartialEq, Picklist)]
    pub enum Kind {
        /// A port.
        P,
        /// Inland.
        I,
    }
}
