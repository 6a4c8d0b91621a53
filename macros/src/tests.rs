//! The derives on token streams: what they write for sound input, and which mistakes they find.

use crate::attr::container;
use crate::errors::Errors;
use crate::input;
use proc_macro2::TokenStream;
use quote::quote;

/// The expansion as a person would read it.
fn pretty(tokens: TokenStream) -> String {
    let file = syn::parse2(tokens).expect("the expansion parses");
    prettyplease::unparse(&file)
}

/// The expansions with a runtime under its own name.
fn record(tokens: TokenStream) -> TokenStream {
    crate::record(tokens, || Ok(quote!(::runtime)))
}

fn picklist(tokens: TokenStream) -> TokenStream {
    crate::picklist(tokens, || Ok(quote!(::runtime)))
}

/// The messages about a struct.
fn mistakes(tokens: TokenStream) -> Vec<String> {
    let input: syn::DeriveInput = syn::parse2(tokens).expect("the struct parses");
    let mut errors = Errors::default();
    let settings = container::record(&input.attrs, &mut errors);
    input::record::read(&input, settings, &mut errors);
    errors.messages()
}

/// The schema of a sound struct, as JSON.
fn json(tokens: TokenStream) -> String {
    let input: syn::DeriveInput = syn::parse2(tokens).expect("the struct parses");
    let mut errors = Errors::default();
    let settings = container::record(&input.attrs, &mut errors);
    let record = input::record::read(&input, settings, &mut errors);
    assert_eq!(errors.messages(), [""; 0]);
    record.expect("the struct is sound").schema.to_json()
}

/// The schema of a struct of one field, that field's part of it.
fn field_json(tokens: &TokenStream) -> String {
    let whole = json(quote!(
        #[record(id = "s", name = "S")]
        struct S { #tokens }
    ));
    let start = whole.find("\"fields\":[").expect("there are fields") + "\"fields\":[".len();
    whole[start..whole.len() - 2].to_owned()
}

#[test]
fn the_expansion_of_a_struct_is_lean_and_absolute() {
    let tokens = record(quote! {
        /// A city.
        struct City {
            #[field(primary_key, id = "f1")]
            name: String,
            #[field(picklist, id = "f2")]
            r#type: Option<Kind>,
            #[field(type = "integer", id = "f3")]
            counts: Vec<Count>,
        }
    });
    assert_eq!(pretty(tokens), include_str!("tests/city.rs.txt"));
}

#[test]
fn the_expansion_of_an_enum_is_lean_and_absolute() {
    let tokens = picklist(quote! {
        #[picklist(crate = crate::rt)]
        enum Kind {
            /// Open to
            /// everyone.
            ///
            /// More.
            #[code("C", extra = r#"{ "order": 1.50 }"#)]
            Civil,
            Military,
        }
    });
    assert_eq!(pretty(tokens), include_str!("tests/kind.rs.txt"));
}

#[test]
fn a_variant_that_says_its_number_is_found_by_a_match() {
    let tokens = picklist(quote!(
        enum Kind {
            A = 7,
            B = 3,
        }
    ))
    .to_string();
    assert!(
        tokens.contains("match self { Kind :: A => 0 , Kind :: B => 1 , }"),
        "{tokens}"
    );
}

#[test]
fn an_enum_without_variants_is_a_picklist_without_codes() {
    let tokens = picklist(quote!(
        enum Kind {}
    ))
    .to_string();
    assert!(!tokens.contains("compile_error"), "{tokens}");
    assert!(tokens.contains("match self { }"), "{tokens}");
}

#[test]
fn every_setting_reaches_its_property() {
    assert_eq!(
        field_json(&quote! {
            #[field(
                name = "Birthday", id = "f", description = "Day one", type = "datetime", sort_key,
                required, multivalue, pii = false, min = "2020.01.01 00:00:00", max = "2021.01.01 00:00:00",
                tag(id = "t", name = "T", extra = r#"{"x":null}"#), tag(id = "u", name = "U"),
                date_separator = ".", date_format = "YYYY$MM$DD", time_format = "HH:mm:ss",
                extra = r#"{"later": [1.0, ""], "maxSize": null}"#,
            )]
            born: Vec<NaiveDateTime>
        }),
        concat!(
            r#"{"fieldId":"f","name":"Birthday","description":"Day one","active":true,"#,
            r#""dataType":"datetime","isPrimaryKey":false,"isSortKey":true,"isRequired":true,"#,
            r#""isMultivalue":true,"isPII":false,"min":"2020.01.01 00:00:00","#,
            r#""max":"2021.01.01 00:00:00","classifiers":[{"tagId":"t","tagName":"T","x":null},"#,
            r#"{"tagId":"u","tagName":"U"}],"dateFormat":"YYYY$MM$DD","dateSeparator":".","#,
            r#""timeFormat":"HH:mm:ss","later":[1.0,""],"maxSize":null}"#,
        )
    );
}

#[test]
fn a_renamed_runtime_is_the_only_one_that_the_expansion_names() {
    for broken in [false, true] {
        let tokens = record(quote! {
            #[record(crate = crate::engine)]
            struct S {
                #[field(picklist)]
                kind: Kind,
                #[field(type = "integer", required = #broken)]
                count: Option<Count>,
            }
        });
        let codes = picklist(quote! {
            #[picklist(crate = crate::engine)]
            enum Kind { A, #[code("A", extra = #broken)] B }
        });
        for tokens in [tokens.to_string(), codes.to_string()] {
            assert!(!tokens.contains(":: runtime"), "{tokens}");
            assert!(tokens.contains("crate :: engine :: __private"), "{tokens}");
        }
    }
}

#[test]
fn a_crate_without_the_runtime_is_told_so_once_and_of_its_own_mistakes() {
    let absent = || Err("add it".to_owned());
    let tokens = crate::record(
        quote!(
            struct S {
                name: Strange,
            }
        ),
        absent,
    )
    .to_string();
    assert_eq!(tokens.matches("compile_error").count(), 2, "{tokens}");
    assert!(tokens.contains("add it"), "{tokens}");
    let tokens = crate::picklist(
        quote!(
            enum Kind {
                A,
            }
        ),
        absent,
    )
    .to_string();
    assert_eq!(tokens.matches("compile_error").count(), 1, "{tokens}");
    assert!(!tokens.contains("impl"), "{tokens}");
}

#[test]
fn number_literals_keep_their_digits() {
    let one = field_json(&quote!(#[field(min = -1_000.50, max = 2e6)] price: Decimal));
    assert!(one.contains(r#""min":-1000.50,"max":2e6"#), "{one}");
}

#[test]
fn the_rust_type_tells_the_data_type() {
    for (ty, name) in [
        ("String", "string"),
        ("i64", "integer"),
        ("f64", "float"),
        ("bool", "boolean"),
        ("Decimal", "currency"),
        ("chrono::NaiveDate", "date"),
        ("NaiveTime", "time"),
        ("::chrono::NaiveDateTime", "datetime"),
        ("i32", "date-year"),
        ("Email", "email"),
        ("Url", "url"),
        ("Phone", "phone"),
        ("LatLng", "latlng"),
        ("Latitude", "latitude"),
        ("Option<runtime::Longitude>", "longitude"),
    ] {
        let ty: syn::Type = syn::parse_str(ty).unwrap();
        let one = field_json(&quote!(a: #ty));
        assert!(one.contains(&format!("\"dataType\":\"{name}\"")), "{one}");
    }
}

#[test]
fn option_and_vec_tell_what_is_required() {
    for (tokens, required, multivalue) in [
        (quote!(a: i64), true, ""),
        (quote!(a: ::std::option::Option<i64>), false, ""),
        (quote!(a: Vec<i64>), false, r#","isMultivalue":true"#),
        (
            quote!(#[field(required)] a: Vec<i64>),
            true,
            r#","isMultivalue":true"#,
        ),
        (
            quote!(#[field(multivalue = false, required)] a: i64),
            true,
            r#","isMultivalue":false"#,
        ),
    ] {
        let one = field_json(&tokens);
        let wanted = format!("\"isRequired\":{required}{multivalue}}}");
        assert!(one.ends_with(&wanted), "{one} {wanted}");
    }
}

#[test]
fn the_first_paragraph_of_the_docs_is_the_description() {
    let with = |tokens| field_json(&tokens);
    let told = with(quote! {
        /// Two
        ///   lines.
        ///
        /// More.
        a: i64
    });
    assert!(told.contains(r#""description":"Two lines.""#), "{told}");
    for silent in [
        quote! {
            ///
            /// Docs.
            a: i64
        },
        quote!(a: i64),
    ] {
        let one = with(silent);
        assert!(!one.contains("description"), "{one}");
    }
    let extra = with(quote!(/** Docs. */ #[field(extra = r#"{"description": null}"#)] a: i64));
    assert!(extra.contains(r#""description":null"#), "{extra}");
}

#[test]
fn inactive_fields_stand_at_their_places() {
    let whole = json(quote! {
        #[record(
            inactive(at = 2, name = "Last", type = "integer", multivalue, required),
            inactive(at = 0, name = "First", picklist, code("A", description = "a"), code("B", extra = "{\"x\":1}"))
        )]
        struct S { middle: i64 }
    });
    let positions =
        ["First", "middle", "Last"].map(|name| whole.find(&format!("\"name\":\"{name}\"")));
    assert!(positions.is_sorted() && positions[0].is_some(), "{whole}");
    let codes = r#""staticPicklist":[{"code":"A","description":"a"},{"code":"B","x":1}]"#;
    assert!(whole.contains(codes), "{whole}");
    assert!(
        whole.contains(r#""isRequired":true,"isMultivalue":true}]"#),
        "{whole}"
    );
}

#[test]
fn what_is_foreign_to_a_type_may_travel_as_extra() {
    let one = field_json(
        &quote!(#[field(extra = r#"{"min": 3, "validationRules": ["unknown"]}"#)] a: bool),
    );
    assert!(
        one.ends_with(r#""min":3,"validationRules":["unknown"]}"#),
        "{one}"
    );
}

#[test]
fn an_extra_that_no_reader_would_take_is_refused() {
    let cases = [
        (r#"{"dateFormat": "nonsense"}"#, "nonsense"),
        (r#"{"isRequired": true}"#, "stands here twice"),
        (r#"{"a": 1, "a": 2}"#, "`a` twice"),
        ("[1]", "an array, not an object"),
        (r#"{"a": }"#, "not JSON"),
    ];
    for (extra, wanted) in cases {
        let found = mistakes(quote!(
            struct S {
                #[field(extra = #extra)]
                a: bool,
            }
        ));
        assert!(
            found.len() == 1 && found[0].contains(wanted),
            "{extra}: {found:?}"
        );
    }
}

#[test]
fn an_extra_of_the_schema_may_hold_what_code_leaves_out() {
    let extra = r#"{"createdBy": "", "createdDate": null, "businessAreaName": "A", "state": "x"}"#;
    let whole = json(quote!(
        #[record(extra = #extra)]
        struct S {}
    ));
    assert!(
        whole.ends_with(r#""businessAreaName":"A","state":"x"}"#),
        "{whole}"
    );
    let found = mistakes(quote!(
        #[record(extra = "{\"businessAreaId\": 5}")]
        struct S {}
    ));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("`extra`: "), "{found:?}");
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let found = mistakes(quote! {
        #[record(naem = "A", version = "x", inactive(at = 9, name = "I"))]
        struct S {
            #[field(min = 3, max = 1, name = "same")]
            a: i64,
            #[field(name = "same", primary_key, primary_key)]
            b: Option<Vec<String>>,
            #[field(primary_key, type = "colour")]
            c: Whatever,
            #[field(booleans = "yes/no", date_format = "YYYY$MM$DD", 3, min = 0x1F)]
            d: bool,
        }
    });
    let wanted = [
        "unknown setting `naem`",
        "`version` takes another kind",
        "`primary_key` is given twice",
        "`Option<Vec<…>>` can be missing in two ways",
        "unknown data type \"colour\"",
        "`0x1F` is not a number",
        "unknown pair of booleans",
        "a value without a name",
        "the inactive field has no data type",
        "there is no place 9",
        "`min` (3) is above `max` (1)",
        "a primary key can't have several values",
        "the name \"same\" is that of the active field `a`",
        "this is the second primary key, after field `b`",
        "`date_format` means nothing",
    ];
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(found.starts_with(wanted), "{found}, not {wanted}");
    }
}

#[test]
fn a_mistake_in_an_attribute_does_not_hide_the_parts_behind_it() {
    let found = mistakes(quote!(
        struct S {
            #[field(min = , nmae = "x", max = ;; , ?, min = 3u8)]
            a: i64,
        }
    ));
    assert_eq!(found.len(), 5, "{found:#?}");
}

#[test]
fn the_words_of_a_message_are_those_of_the_source() {
    let found = mistakes(quote!(
        struct S {
            r#type: bool,
            #[field(name = "type", id = "x", date_format = "YYYYMMDD")]
            b: bool,
        }
    ));
    assert_eq!(
        found,
        [
            "`date_format` means nothing for the data type boolean; remove it or change the data type",
            "the name \"type\" is that of the active field `r#type` too; rename one of the fields or make it inactive",
        ]
    );
}
