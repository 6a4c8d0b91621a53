//! The odd words of random documents, and how their strings and numbers are written.

use super::Chance;

/// Display names of schemas and fields, and codes of picklists: what people write, what Rust calls
/// its own, and what has no letters.
pub(super) const NAMES: &[&str] = &[
    "Name",
    "name",
    "NAME",
    "Na me",
    "fooBar",
    "foo_bar",
    "Foo Bar",
    "type",
    "self",
    "Self",
    "crate",
    "super",
    "async",
    "gen",
    "try",
    "1st",
    "2nd",
    "42",
    "!!!",
    "\u{2014}",
    "\u{e9}",
    "e\u{301}",
    "Stra\u{df}e",
    "\u{540d}\u{524d}",
    "\u{1F980}",
    "a\"b",
    "a\\b",
    "*/",
    "// x",
    "/* x",
    "{x}",
    "{{",
    "}",
    "\n",
    " ",
    "\t",
    "\u{a0}",
    "A B",
    "a-b",
    "a.b",
    "a/b",
    "r#type",
    "String",
    "Option",
    "Vec",
    "None",
    "Some",
    "Ok",
    "Record",
    "Picklist",
    "runtime",
    "std",
    "core",
    "bool",
    "i64",
    "str",
    "values",
    "from_slots",
    "SCHEMA",
    "CHECKER",
    "from_json",
    "to_json",
    "schema",
    "get",
    "validate",
    "x",
    "__a",
    "\u{202e}abc",
    "\u{feff}",
    "\u{1}",
    "debug",
    "ENTRIES",
    "ALL",
    "index",
    "Active",
    "ACTIVE",
    "active",
    "Email",
    "NaiveDate",
    "Decimal",
    "url",
    "\"#",
    "\"##\"",
    "$crate",
    "#[a]",
    "a very long name that goes on and on until it has exactly one hundred characters, no more, no fewer!",
    "\u{fb01}n",
    "\u{130}",
    "\u{2126}",
    "_",
    "%s",
    "null",
    "true",
    "0",
    "-",
    "'a",
    "b'x'",
    "macro_rules",
];

/// Descriptions that try to be something else than text.
pub(super) const DESCRIPTIONS: &[&str] = &[
    "One line.",
    "",
    "First.\n\nSecond.",
    "Two\nlines.",
    " leading",
    "trailing ",
    "\n",
    "\n\nlate",
    "  ",
    "*/ // /* x",
    "#[doc = \"x\"]",
    "`code` ``",
    "a\"b\\c",
    "{} {0}",
    "tab\there",
    "cr\r\nlf",
    "\u{2028}",
    "- list\n- two",
    "    indented",
    "1. one\n2. two",
    "# head",
    "[link](x) <b>",
    "```\nfn main() {}\n```",
    "\u{e9} \u{1F980} \u{202e}x",
    "ends with \\",
    "\"#\"##",
    "x\n \ny",
    "\n x",
    "\u{a0}",
    "$x @ ~",
];

/// Names of properties that the interface does not have.
pub(super) const UNKNOWN: &[&str] = &[
    "state",
    "retention",
    "displayHint",
    "",
    "\u{e9}",
    "minimum",
    "Min",
    "extra",
    "a\"b",
    "\n",
    "r#type",
    "{",
    "code_",
    "tags",
    "x-y",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-0",
    "1.50",
    "1e400",
    "1E+2",
    "0.10e-7",
    "123456789012345678901234567890",
    "-1.0",
];

/// Any number's token.
pub(super) fn number(chance: &mut Chance) -> &'static str {
    chance.pick(NUMBERS)
}

/// A text as a JSON string, sometimes with more escapes than it needs.
pub(super) fn string(chance: &mut Chance, text: &str) -> String {
    use std::fmt::Write as _;
    let escapes_all = chance.one_in(12);
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            '/' if escapes_all => out.push_str("\\/"),
            character if escapes_all || character < ' ' => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    write!(out, "\\u{unit:04x}").expect("a string takes all text");
                }
            }
            character => out.push(character),
        }
    }
    out.push('"');
    out
}
