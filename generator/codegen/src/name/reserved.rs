//! Lists of names that generated code cannot or should not give: keywords, names that mean something in
//! every module. They are only lists; `kind` says which counts where.

/// Strict and reserved keywords of every edition.
pub(super) const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "Self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords that can't be raw identifiers either.
pub(super) const NEVER_RAW: &[&str] = &["crate", "self", "super", "Self"];

/// Types, traits and variants of the prelude, and what generated code imports or may import.
pub(super) const TYPES: &[&str] = &[
    // the prelude and what is never a good idea to hide
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "Error",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    // the runtime and serde
    "Decimal",
    "Deserialize",
    "Email",
    "FileRef",
    "LatLng",
    "Latitude",
    "Longitude",
    "NaiveDate",
    "NaiveDateTime",
    "NaiveTime",
    "Phone",
    "Picklist",
    "Record",
    "Serialize",
    "Stored",
    "Url",
];

/// Module names that mean a file of ours, or a crate every module may name.
pub(super) const MODULES: &[&str] = &[
    "alloc",
    "core",
    "lib",
    "main",
    "proc_macro",
    "runtime",
    "std",
];
