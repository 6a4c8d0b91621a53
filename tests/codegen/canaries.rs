//! Values that can be recognised wherever they turn up. Every one holds a needle, in whatever
//! notation it is printed.

/// What no output may hold, in lower case.
pub(crate) const NEEDLES: &[&str] = &["kanarie", "7183", "71.83", "07:18", "7:18"];

/// For each field, in order, a clean value and then refused ones.
#[rustfmt::skip]
pub(crate) const VALUES: &[(&str, &[&str])] = &[
    ("string", &[r#""kanarie""#, r#""kanarie!""#, r#""kanarie7183kanarie""#, "7183", "true"]),
    ("integer", &["7", "7183", "-7183", "7183.5", r#""7183""#, "71830000000000000000000000"]),
    ("float", &["7.183", "7183", "-7183", r#""7183""#, "7183e400"]),
    ("money", &["7.18", "7183", "-71839007199254740991", "7183.005", r#""7183""#]),
    ("flag", &[r#""Y""#, "7183", r#""kanarie""#]),
    ("date", &[r#""29/06/7183""#, r#""7183-06-29""#, r#""0718-03-18""#, r#""31/06/7183""#, r#""kanarie""#, "7183"]),
    ("short_date", &[r#""07-18-03""#, r#""7183-06-29""#, r#""13-07-18 7183""#, r#""kanarie""#]),
    ("time", &[r#""07:18""#, r#""07:18:36""#, r#""07:18:00.7183""#, r#""kanarie""#, "7183"]),
    ("moment", &[r#""7183-06-29 07:18 am""#, r#""7183-06-29T07:18:36""#, r#""7183-06-31T07:18""#, r#""kanarie""#, "7183"]),
    ("year", &["7183", r#""7183""#, "71830", "-7183", "7183.5", r#""kanarie""#]),
    ("month", &["7", "7183", r#""7183""#, r#""kanarie""#]),
    ("day", &["18", "7183", "7183.5", r#""kanarie""#]),
    ("kinds", &[r#""A""#, r#""kanarie""#, "7183"]),
    ("dynamic", &[r#""kanarie""#, "7183"]),
    ("mail", &[r#""kanarie@example.org""#, r#""kanarie""#, r#""kanarie7183@kanarie.example.org""#, "7183"]),
    ("page", &[r#""https://kanarie.example/""#, r#""kanarie""#, r#""https://kanarie.example/kanarie/7183""#, "7183"]),
    ("link", &[r#""https://kanarie.example/""#, r#""kanarie""#, "7183"]),
    ("phone", &[r#""+49 7183 062 94""#, r#""7183""#, r#""+kanarie""#, "7183"]),
    ("place", &[r#""71.83,71.83""#, r#""7183,7183""#, r#""718.3,718.3""#, r#""kanarie""#, "7183"]),
    ("latitude", &["71.83", "-71.83e1", "7183", r#""71.83""#]),
    ("longitude", &["71.83", "-718.3", "7183", r#""71.83""#, "-171.83"]),
    ("file", &[r#""kanarie""#, "7183"]),
    ("image", &[r#""kanarie""#, "7183"]),
    ("document", &[r#""kanarie""#, "7183"]),
    ("video", &[r#""kanarie""#, "7183"]),
];

/// Bodies that are broken as a whole.
#[rustfmt::skip]
pub(crate) const BODIES: &[&str] = &[
    r#""kanarie""#, "7183", "[\"kanarie\"]", "kanarie", "{kanarie:7183}", r#"{"string":kanarie}"#, r#"{"string":'kanarie'}"#,
    r#"{"string":"kanarie"#, r#"{"string" "kanarie"}"#, r#"{"string":"kanarie",}"#, r#"{"string":"kanarie"} kanarie"#,
    "\u{feff}{\"string\":\"kanarie\"}", "{\"string\":\"kanarie\n\"}",
];
