//! What a schema may contradict itself in: each with a code, and its English with a place for each value. Whoever tells
//! it in another language goes by the code; which values stand in it is said where it is found.

/// Declares the contradictions: each with its code, what is wrong and what to do. `{0}` is the first value.
macro_rules! contradictions {
    ($($variant:ident = $code:literal, $message:literal, $help:literal;)*) => {
        /// A kind of contradiction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Contradiction {
            $(#[doc = $message] $variant,)*
        }

        impl Contradiction {
            /// Every contradiction.
            pub const ALL: &'static [Contradiction] = &[$(Contradiction::$variant),*];

            /// Its code: stable, for programs.
            pub fn code(self) -> &'static str {
                match self {
                    $(Contradiction::$variant => $code,)*
                }
            }

            /// What is wrong.
            pub fn message(self) -> &'static str {
                match self {
                    $(Contradiction::$variant => $message,)*
                }
            }

            /// What to do.
            pub fn help(self) -> &'static str {
                match self {
                    $(Contradiction::$variant => $help,)*
                }
            }
        }
    };
}

contradictions! {
    // of a document
    NotJson = "not_json", "the document is not JSON: {0}", "mend the text at that place";
    NotObject = "not_object", "this is {0}, not an object", "write a JSON object here";
    PropertyTwice = "property_twice", "the property `{0}` stands here twice", "keep one of the two";
    NotArray = "not_array", "`{0}` is {1}, not an array", "write an array";
    PropertyMissing = "property_missing", "the required property `{0}` is missing", "add `{0}`";
    PropertyNull = "property_null", "the required property `{0}` is null", "give it a value";
    PropertyEmpty = "property_empty", "the required property `{0}` is empty", "give it a value";
    NotString = "not_string", "`{0}` is {1}, not a string", "write a string";
    NotFlag = "not_flag", "`{0}` is {1}, not true or false", "write true or false";
    NotNamed = "not_named", "`{0}` is {1}, which the interface does not have", "write one of {2}";
    NotName = "not_name", "`{0}` is {1}, not a string", "write one of {2}";
    NotNumber = "not_number", "`{0}` is {1}, not a number", "write a number";
    NotBound = "not_bound", "`{0}` is {1}, not a number or a string", "write a number or a string";
    VersionNotWhole = "version_not_whole",
        "`version` is not an integer", "write a whole number without point or exponent";
    RuleNotString = "rule_not_string", "a rule name is a string, this is {0}", "write a string";
    // of a schema
    SchemaNameMissing = "schema_name_missing", "the schema has no name", "give it one";
    SchemaIdMissing = "schema_id_missing", "the schema has no id", "give it one";
    FieldIdMissing = "field_id_missing",
        "the field has no id", "give it one that stays the same when it is renamed";
    FieldIdTwice = "field_id_twice",
        "the id {0} is that of `fields[{1}]` too", "give each field an id of its own";
    FieldNameMissing = "field_name_missing",
        "the field has no name", "give it one of 1 to 100 characters";
    NameTooLong = "name_too_long", "the name has {0} characters, more than {1}", "shorten it";
    NameOfSystem = "name_of_system",
        "the name begins with `_`, which is kept for system properties", "begin it with another character";
    NameTwice = "name_twice",
        "the name {0} is that of the active `fields[{1}]` too", "rename one of the fields or make it inactive";
    NameUnseen = "name_unseen",
        "the name has the character U+{0}, which nobody sees", "take it away where the schema is made";
    KeyTwice = "key_twice",
        "this is the second primary key, after `fields[{0}]`", "keep one active primary key";
    KeySeveral = "key_several", "a primary key can't have several values", "make it a field of one value";
    KeyFile = "key_file", "a primary key can't be a file ({0})", "choose a field with text or a number";
    // of a field
    SettingForeign = "setting_foreign",
        "`{0}` means nothing for the data type {1}", "remove it or change the data type";
    SortKeyUnordered = "sort_key_unordered",
        "values of the data type {0} have no order, so nothing can be sorted by this sort key",
        "leave `isSortKey` false";
    RuleUnknown = "rule_unknown",
        "the validation rule {0} is not known and has no effect", "the only rule is `alphanumeric`";
    RuleForeign = "rule_foreign",
        "`alphanumeric` means nothing for the data type {0}", "it judges string fields only; remove it";
    PicklistTypeMissing = "picklist_type_missing",
        "the picklist has no `picklistType`", "add one: `static` or `dynamic`";
    CodesMissing = "codes_missing",
        "the static picklist has no codes", "add `staticPicklist`, an array of {code, description}";
    DomainOfStatic = "domain_of_static",
        "`dataDomainId` means nothing for a static picklist", "remove it";
    DomainMissing = "domain_missing",
        "the dynamic picklist names no data domain",
        "add `dataDomainId`, the id of the data domain that holds its codes";
    CodesOfDynamic = "codes_of_dynamic",
        "`staticPicklist` means nothing for a dynamic picklist", "remove it";
    CodeEmpty = "code_empty",
        "the code is empty", "an empty value is a missing one; give the entry a code";
    CodeTwice = "code_twice",
        "the code {0} is that of `staticPicklist[{1}]` too", "keep one of the entries";
    CodeBlank = "code_blank",
        "the code is white space, which counts as a missing value",
        "no record can ever hold it; give the entry a code";
    // of its limits
    BoundNotNumber = "bound_not_number", "the bound {0} is not a number", "write a JSON number";
    BoundNotWhole = "bound_not_whole", "the bound {0} is not a whole number", "write a whole number";
    BoundTooWide = "bound_too_wide",
        "the bound {0} does not fit into 64 bits",
        "write a bound from -9223372036854775808 to 9223372036854775807";
    BoundOutside = "bound_outside",
        "the bound {0} is outside {1} to {2}",
        "the bounds of this type can only be narrowed; write one inside or remove it";
    BoundNotDouble = "bound_not_double",
        "the bound {0} is too large for a 64-bit float", "write a smaller bound";
    BoundDecimals = "bound_decimals",
        "the bound {0} has more than 2 decimals", "write a bound that is an amount of money";
    BoundNotDecimal = "bound_not_decimal",
        "the bound {0} is beyond what a 96-bit decimal can hold",
        "write a bound of at most 27 digits before the point";
    LengthNotNumber = "length_not_number",
        "the bound {0} is not a number", "a length is a whole number of characters, 0 or more";
    LengthNotCount = "length_not_count",
        "the bound {0} is not a whole number of 0 or more",
        "a length is a whole number of characters, 0 or more";
    BytesNotNumber = "bytes_not_number", "the bound {0} is not a number", "write a whole number of bytes";
    BytesNotCount = "bytes_not_count",
        "the bound {0} is not a whole number of 0 or more", "write a whole number of bytes";
    PixelsNotNumber = "pixels_not_number", "the bound {0} is not a number", "write a whole number of pixels";
    PixelsNotCount = "pixels_not_count",
        "the bound {0} is not a whole number of 0 or more", "write a whole number of pixels";
    CountTooWide = "count_too_wide",
        "the bound {0} does not fit into 64 bits",
        "write a bound of at most 9223372036854775807, or remove it";
    BoundsCrossed = "bounds_crossed",
        "`min` ({0}) is above `max` ({1})", "exchange the bounds or remove one of them";
    MinAboveType = "min_above_type",
        "`min` ({0}) is above `max` (the type's own bound, {1})", "exchange the bounds or remove one of them";
    MaxBelowType = "max_below_type",
        "`min` (the type's own bound, {0}) is above `max` ({1})", "exchange the bounds or remove one of them";
    BoundNumber = "bound_number",
        "the bound {0} is a number, not a string like {1}",
        "write a string that the field would accept as a value, in its format or in ISO form";
    BoundShape = "bound_shape",
        "the bound {0} is not written as {1}",
        "write a string that the field would accept as a value, in its format or in ISO form";
    BoundCalendar = "bound_calendar",
        "the bound {0} is a day that the calendar does not have", "write a day that exists";
    BoundYear = "bound_year",
        "the bound {0} has a year that {1} can't hold",
        "two digits mean a year from 1970 to 2069; write such a year or change the format";
    BoundSeconds = "bound_seconds",
        "the bound {0} has seconds, which {1} does not write", "leave the seconds out or change the format";
    BoundFraction = "bound_fraction",
        "the bound {0} has a fraction of a second, which no format writes", "leave the fraction out";
}
