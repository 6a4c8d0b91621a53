//! The application's looks: colours and sizes stand in one file, and templates hold nothing that the pages' policy refuses.
//! What the colours are, `colours.rs` judges.

use super::sources::root;
use std::fs;

const ASSETS: &str = "runtime/server/assets";

pub(crate) fn asset(name: &str) -> String {
    fs::read_to_string(root().join(ASSETS).join(name)).expect(name)
}

#[test]
fn the_edge_of_a_button_is_one_that_can_be_seen() {
    let sheet = asset("app.css");
    let (_, rule) = sheet.split_once("\nbutton, .button {").expect("the rule");
    let (rule, _) = rule.split_once('}').expect("its end");
    assert!(
        rule.contains("border: var(--hair) solid var(--control)"),
        "{rule}"
    );
}

/// The files of a folder with this ending, by name and text.
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join(folder)).expect(folder);
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let own = paths.filter(|path| path.extension().is_some_and(|own| own == ending));
    let read = own.map(|path| {
        let text = fs::read_to_string(&path).expect("a text");
        (path.display().to_string(), text)
    });
    read.collect()
}

/// Lengths: of points, of letters, of the window, of paper.
const UNITS: &str =
    r"(?i)\d(px|pt|pc|q|cm|mm|in|r?(em|ch|ex|cap|ic|lh)|([sld]?v|cq)([hwib]|min|max))\b";
/// What has a colour, or the size of a text.
const PAINTED: &str = r"color|background|border|outline|shadow|decoration|filter|caret|rule|^fill$|^stroke|^font(-size)?$";
/// What may stand there beside tokens: no name of a colour, and of no size.
const KEYWORDS: &[&str] = &[
    "calc",
    "currentColor",
    "dashed",
    "dotted",
    "inherit",
    "inset",
    "left",
    "linear-gradient",
    "local",
    "max",
    "min",
    "no-repeat",
    "none",
    "round",
    "scroll",
    "separate",
    "solid",
    "to",
    "transparent",
    "underline",
];
/// Lengths that are not the application's: text as large as what is around it, a line of text, how far below a text its line is,
/// the window.
const OF_OTHERS: &[(&str, &str)] = &[
    ("font-size", "100%"),
    ("min-height", "1lh"),
    ("text-underline-offset", "0.2em"),
    ("max-height", "100vh"),
];

/// What declarations of a sheet, or of a style within a page, are made of more than tokens.
fn raw_values(style: &str) -> Vec<String> {
    let pattern = |text: &str| regex::Regex::new(text).expect("a pattern");
    let style = pattern(r"(?s)/\*.*?\*/").replace_all(style, "");
    let (units, painted) = (pattern(UNITS), pattern(PAINTED));
    let (tokens, words) = (
        pattern(r"var\(--[\w-]+\)"),
        pattern(r"#[\w-]+|[A-Za-z][\w-]*"),
    );
    let mut strange = Vec::new();
    for part in pattern(r"([^{};]+)([{};]|$)").captures_iter(&style) {
        // what opens a block is a selector, or how wide the window is
        let (true, Some((name, value))) = (&part[2] != "{", part[1].split_once(':')) else {
            continue;
        };
        let name = name.trim();
        let mut rest = tokens.replace_all(value, "").into_owned();
        for (_, own) in OF_OTHERS.iter().filter(|(of, _)| *of == name) {
            rest = rest.replace(own, "");
        }
        let mut named = words.find_iter(&rest).map(|it| it.as_str());
        let is_raw = units.is_match(&rest)
            || painted.is_match(name) && named.any(|it| !KEYWORDS.contains(&it))
            || name.starts_with("font") && rest.contains('%')
            // how high a line is, in its own words or behind a size of text
            || name == "line-height" && !rest.trim().is_empty()
            || name == "font" && rest.contains('/')
            || name.starts_with("--");
        if is_raw {
            strange.push(format!("{name}:{value}"));
        }
    }
    strange
}

/// What attributes of a page's markup say of colours and sizes by themselves.
fn raw_attributes(markup: &str) -> Vec<String> {
    let paints = r#"\s(?:fill|stroke|stop-color|flood-color|color|bgcolor)="([^"]*)""#;
    let paints = regex::Regex::new(paints).expect("a pattern");
    let styles = regex::Regex::new(r#"\sstyle="([^"]*)""#).expect("a pattern");
    let is_named = |value: &str| {
        value.starts_with("var(--") || ["none", "currentColor", "inherit"].contains(&value)
    };
    let painted = paints.captures_iter(markup).map(|it| it[1].to_owned());
    let mut strange: Vec<_> = painted.filter(|value| !is_named(value)).collect();
    for style in styles.captures_iter(markup) {
        strange.extend(raw_values(&style[1]));
    }
    strange
}

#[test]
fn colours_and_sizes_come_from_the_tokens_alone() {
    let mut strange = Vec::new();
    let sheets = files(ASSETS, "css").into_iter();
    for (name, sheet) in sheets.filter(|(name, _)| !name.ends_with("tokens.css")) {
        strange.extend(raw_values(&sheet).into_iter().map(|it| (name.clone(), it)));
    }
    for (name, template) in files("runtime/server/templates", "html") {
        let raw = raw_attributes(&template).into_iter();
        strange.extend(raw.map(|it| (name.clone(), it)));
    }
    assert!(strange.is_empty(), "make tokens of these: {strange:#?}");
}

#[test]
fn a_picture_of_ones_own_has_the_colours_of_the_tokens() {
    // a picture that stands for itself knows no tokens, so it says them again
    let tokens = asset("tokens.css");
    let colours = regex::Regex::new(r"#[0-9a-fA-F]{3,8}\b").expect("a pattern");
    let pictures = files(ASSETS, "svg");
    assert!(!pictures.is_empty(), "there is an icon");
    for (name, picture) in pictures {
        for colour in colours.find_iter(&picture) {
            let token = format!(": {};", colour.as_str());
            assert!(tokens.contains(&token), "{name}: {}", colour.as_str());
        }
    }
}

#[test]
fn colours_in_markup_are_found() {
    let strange = [
        r##"<path fill="#fff"/>"##,
        r#"<path d="M0 0" stroke="red"/>"#,
        r#"<p style="color:red">"#,
        r#"<p style="margin: 3px">"#,
    ];
    for markup in strange {
        assert_eq!(raw_attributes(markup).len(), 1, "{markup}");
    }
    for markup in [
        r#"<path fill="none" stroke="currentColor"/>"#,
        r#"<path fill="var(--accent)"/>"#,
        r##"<a href="#fff">"##,
        r#"<p style="color:var(--fault)">"#,
    ] {
        assert!(raw_attributes(markup).is_empty(), "{markup}");
    }
}

#[test]
fn colours_and_sizes_in_sheets_are_found() {
    for sheet in [
        "a{color:red}",
        "a { color: crimson; }",
        "a { background: tomato }",
        "a{border:var(--hair) solid gold}",
        "a { border-color: #a00 }",
        "a { box-shadow: 0 0 var(--hair) maroon }",
        "a { color: rgb(0 0 0) }",
        "a { width: 3em }",
        "a{width:calc(20ch - var(--step-1))}",
        "a { height: 50vh }",
        "a { margin: 1cm }",
        "a { font-size: 120% }",
        "a { font-size: large }",
        "a { line-height: 1.45 }",
        "a { line-height: normal }",
        "a { line-height: calc(1.5 * var(--size-2)) }",
        "a { font: var(--size-2)/1.4 var(--sans) }",
        "a { --own: 4 }",
        "@media (max-width: 640px) { a { padding:1px } }",
    ] {
        assert_eq!(raw_values(sheet).len(), 1, "{sheet}");
    }
    for sheet in [
        "@media (max-width: 640px) { a { padding: var(--step-1) } }",
        "a:hover { color:inherit }",
        "a { font-size: max(var(--size-2), 100%) }",
        "a { font-size: var(--size-2); line-height: var(--row-2) }",
        "a { width: 50%; flex: 1 1 var(--tile) }",
        "a { background: linear-gradient(to left, var(--ink), transparent) 100% 0 }",
        "/* red: 3px */ a { transition: background 1s }",
    ] {
        assert_eq!(raw_values(sheet), [""; 0], "{sheet}");
    }
}

/// A line between things, which is as thin as can be.
const HAIRLINE: &str = "hair";

#[test]
fn lengths_are_of_four_pixels_and_text_has_five_sizes() {
    let tokens = asset("tokens.css");
    let declarations = regex::Regex::new(r"--([\w-]+):\s*([^;]+);").expect("a pattern");
    let declarations = declarations.captures_iter(&tokens);
    let declarations: Vec<_> = declarations
        .map(|it| (it[1].to_owned(), it[2].to_owned()))
        .collect();
    let sizes = declarations
        .iter()
        .filter(|(name, _)| name.starts_with("size-"));
    assert_eq!(sizes.count(), 5);
    let lengths = declarations.iter().filter(|(name, _)| name != HAIRLINE);
    let lengths = lengths.filter_map(|(name, value)| Some((name, value.strip_suffix("px")?)));
    let lengths: Vec<(_, u32)> = lengths
        .map(|(name, pixels)| (name, pixels.parse().expect(name)))
        .collect();
    assert!(lengths.len() > 10, "{lengths:?}");
    let between: Vec<_> = lengths.iter().filter(|(_, it)| it % 4 != 0).collect();
    assert!(between.is_empty(), "beside the grid: {between:?}");
    // lines of text are as large as its letters are for who reads, and of four pixels as well where these are as they were made
    let rows = declarations
        .iter()
        .filter(|(name, _)| name.starts_with("row-"));
    let rows: Vec<f64> = rows
        .map(|(name, value)| value.strip_suffix("rem").expect(name))
        .map(|value| value.parse().expect(value))
        .collect();
    assert_eq!(rows.len(), 5);
    let whole = rows
        .iter()
        .all(|it| (it * 4.0).fract().abs() < f64::EPSILON);
    assert!(whole, "beside the grid: {rows:?}");
}

#[test]
fn a_size_of_text_comes_with_the_height_of_its_lines() {
    let rules = regex::Regex::new(r"[^{}]*\{([^{}]*)\}").expect("a pattern");
    let sizes = regex::Regex::new(r"font-size:\s*var\(--size-(\d)\)").expect("a pattern");
    let rows = regex::Regex::new(r"line-height:\s*var\(--row-(\d)\)").expect("a pattern");
    let all = |pattern: &regex::Regex, rule: &str| -> Vec<String> {
        let found = pattern.captures_iter(rule);
        found.map(|it| it[1].to_owned()).collect()
    };
    let (mut count, mut alone) = (0, Vec::new());
    for (name, sheet) in files(ASSETS, "css") {
        for rule in rules.captures_iter(&sheet) {
            let own = all(&sizes, &rule[1]);
            count += own.len();
            if own != all(&rows, &rule[1]) {
                alone.push(format!("{name}: {}", rule[0].trim()));
            }
        }
    }
    assert!(count > 20, "{count} sizes");
    assert!(alone.is_empty(), "{alone:#?}");
}

#[test]
fn templates_hold_nothing_that_the_policy_of_pages_refuses() {
    let attributes = regex::Regex::new(
        r#"\s(style|on[a-z]+|hx-on[^=]*|hx-vals|hx-vars)=|\|\s*safe|js:|<script>|<style|hx-trigger="[^"]*\["#,
    );
    let attributes = attributes.expect("a pattern");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(root().join("runtime/server/templates")).expect("templates") {
        let path = entry.expect("a template").path();
        let text = fs::read_to_string(&path).expect("a template");
        for found in attributes.find_iter(&text) {
            wrong.push(format!("{}: {}", path.display(), found.as_str()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn htmx_is_told_to_bring_no_styles_of_its_own() {
    let path = root().join("runtime/server/templates/layout.html");
    let layout = fs::read_to_string(path).expect("a template");
    assert!(layout.contains(r#""includeIndicatorCSS":false"#));
}

#[test]
fn a_part_of_a_page_stands_under_no_condition() {
    // asked for alone, a block within one is nothing at all, whatever the condition
    let words = regex::Regex::new(r"\{%-?\s*(\w+)\s*(\w*)").expect("a pattern");
    let folder = root().join("runtime/server/templates");
    let mut within = Vec::new();
    for entry in fs::read_dir(folder).expect("templates").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a template");
        let mut open = 0_usize;
        for tag in words.captures_iter(&text) {
            match &tag[1] {
                "if" | "for" | "match" => open += 1,
                "endif" | "endfor" | "endmatch" => open -= 1,
                "block" if open > 0 => {
                    within.push(format!("{}: {}", entry.file_name().display(), &tag[2]));
                }
                _ => {}
            }
        }
        assert_eq!(open, 0, "{}", entry.path().display());
    }
    assert!(within.is_empty(), "{within:#?}");
}
