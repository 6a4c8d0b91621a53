//! Why a value, a reader or a writer that was right is not any more: the rule that is met, by its code. Codes of
//! faults are those of the engine, so that a report can be laid beside `_errors`.

use std::fmt;

/// Declares the reasons: each with its code and what it is about.
macro_rules! reasons {
    ($($variant:ident = $code:literal, $about:literal;)*) => {
        /// A rule that is met where none was before.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Reason {
            $(#[doc = $about] $variant,)*
        }

        impl Reason {
            /// Every reason, in the order in which reports name them.
            pub const ALL: &'static [Reason] = &[$(Reason::$variant),*];

            /// Its code: stable, for programs.
            pub fn code(self) -> &'static str {
                match self {
                    $(Reason::$variant => $code,)*
                }
            }

            /// What it is about, for people.
            pub fn about(self) -> &'static str {
                match self {
                    $(Reason::$variant => $about,)*
                }
            }
        }
    };
}

reasons! {
    Gone = "gone", "the field is not there any more";
    Renamed = "renamed", "its values stand under another name";
    UnknownKey = "unknown_key", "a body that names the field is refused";
    PrimaryKey = "primary_key", "what tells records apart is another field";
    Unjudged = "unjudged", "values that were hidden come back, judged by nobody";
    Required = "required", "a value may be missing where one is required";
    Single = "single", "an array stands where one value is required";
    Shape = "shape", "one value and arrays are exchanged";
    DataType = "data_type", "values are of another type";
    Format = "format", "dates or times are written in another way";
    YearHeld = "year_held", "two digits can't hold every year";
    SecondsHeld = "seconds_held", "seconds can't be held";
    Boolean = "boolean", "words for true and false are not read";
    Min = "min", "numbers may be below the bound";
    Max = "max", "numbers may be above the bound";
    NotBefore = "not_before", "dates or times may be before the bound";
    NotAfter = "not_after", "dates or times may be after the bound";
    MinLength = "min_length", "texts may be shorter than the bound";
    MaxLength = "max_length", "texts may be longer than the bound";
    Alphanumeric = "alphanumeric", "texts may have other characters than letters and digits";
    Picklist = "picklist", "codes may be none of the picklist's";
    Domain = "domain", "codes may be none of the data domain's";
    MaxSize = "max_size", "files may have more bytes";
    MaxWidth = "max_width", "images may be wider";
    MaxHeight = "max_height", "images may be higher";
    Bound = "bound", "a bound can't be read, so that nothing is known of the values";
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
