//! What speaks for a proposed field: each observation by its code, with its values, and its English.

use schema::{Wording, fill};
use std::fmt::{self, Display};

/// Declares the kinds of observations: each with its code and its text. `{0}` is the first value.
macro_rules! kinds {
    ($($variant:ident = $code:literal, $text:literal;)*) => {
        /// A kind of observation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ObservationKind {
            $(#[doc = $text] $variant,)*
        }

        impl ObservationKind {
            /// Every kind.
            pub const ALL: &'static [ObservationKind] = &[$(ObservationKind::$variant),*];

            /// Its code: stable, for programs.
            pub fn code(self) -> &'static str {
                match self {
                    $(ObservationKind::$variant => $code,)*
                }
            }

            /// Its text, with places for values.
            pub fn text(self) -> &'static str {
                match self {
                    $(ObservationKind::$variant => $text,)*
                }
            }
        }
    };
}

kinds! {
    EachIs = "each_is", "every value is one of {0}";
    EachIsAs = "each_is_as", "every value is one of {0} as {1}";
    EachIsIso = "each_is_iso", "every value is a date and time in ISO 8601: stored as {0}, in UTC where it has an offset";
    MayBeAs = "may_be_as", "look twice: each may be {0} as {1} as well";
    DecimalComma = "decimal_comma", "a comma stands before the decimals: say so where the file is read";
    MayBeThousands = "may_be_thousands", "look twice: a dot before three digits may stand for thousands";
    WideWhole = "wide_whole", "some are beyond ±9007199254740991, where a float loses digits: bounds of 64 bits";
    NoValue = "no_value", "no row has a value: text, for want of a better guess";
    NoType = "no_type", "no type has all values: text, under which some are faulty";
    Nested = "nested", "a value is an object, or a list within a list: no record has one, and its row is refused";
    NearlyIs = "nearly_is", "look twice: {1} of {2} values fit {0}, not those of these lines: {3}";
    NearlyIsAs = "nearly_is_as", "look twice: {2} of {3} values fit {0} as {1}, not those of these lines: {4}";
    Several = "several", "a value is an array: several values";
    FewTexts = "few_texts", "only {0} different texts: picklist";
    Longest = "longest", "the longest has {0} characters: at most {1}, to leave room";
    InEachRow = "in_each_row", "{0} of {1} rows have a value: required";
    InSomeRows = "in_some_rows", "{0} of {1} rows have a value: optional";
    AllDiffer = "all_differ", "all values are different";
    FirstThatDiffers = "first_that_differs", "the first such column: primary key";
    FewRows = "few_rows", "look twice: {0} rows are too few to be sure of a key";
    Ordered = "ordered", "its values have an order: sort key";
}

/// What was observed; its text is English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// What it is.
    pub kind: ObservationKind,
    /// By its code, with its values.
    pub wording: Wording,
}

impl Observation {
    pub(super) fn new(kind: ObservationKind, values: &[&dyn Display]) -> Self {
        Observation {
            kind,
            wording: Wording::new(kind.code(), values),
        }
    }
}

impl Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&fill(self.kind.text(), &self.wording.values))
    }
}
