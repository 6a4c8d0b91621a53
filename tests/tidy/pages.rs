//! The application's looks: colours and sizes stand in one file, what is read can be read, and templates hold nothing that
//! the pages' policy refuses.

use super::sources::root;
use std::collections::BTreeMap;
use std::fs;

const ASSETS: &str = "runtime/server/assets";

/// What stands on what.
const PAIRS: &[(&str, &str)] = &[
    ("ink", "ground"),
    ("ink", "surface"),
    ("ink", "raised"),
    ("ink", "accent-ground"),
    ("ink", "fault-ground"),
    ("soft", "ground"),
    ("soft", "surface"),
    ("soft", "raised"),
    ("accent", "ground"),
    ("accent", "surface"),
    ("accent", "raised"),
    ("accent", "accent-ground"),
    ("accent-ink", "accent"),
    ("fault", "ground"),
    ("fault", "surface"),
    ("fault", "fault-ground"),
    ("fault", "raised"),
    ("accent", "fault-ground"),
    ("soft", "fault-ground"),
];
/// What WCAG asks of text.
const CONTRAST_MIN: f64 = 4.5;

fn asset(name: &str) -> String {
    fs::read_to_string(root().join(ASSETS).join(name)).expect(name)
}

/// The colours of a block of tokens.
fn colours(block: &str) -> BTreeMap<String, [u8; 3]> {
    let declarations = block.split(';').filter_map(|it| it.split_once("--"));
    let pairs = declarations.filter_map(|(_, it)| it.split_once(": #"));
    pairs
        .map(|(name, hex)| {
            let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("six digits");
            (name.to_owned(), [part(0), part(2), part(4)])
        })
        .collect()
}

/// How light a colour is, from 0 to 1.
fn luminance(colour: [u8; 3]) -> f64 {
    let part = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    };
    let [red, green, blue] = colour.map(part);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[test]
fn what_is_read_can_be_read_in_light_and_in_dark() {
    let tokens = asset("tokens.css");
    let (light, dark) = tokens
        .split_once("prefers-color-scheme: dark")
        .expect("both");
    for (scheme, block) in [("light", light), ("dark", dark)] {
        let colours = colours(block);
        for (ink, ground) in PAIRS {
            let of = |name: &str| luminance(*colours.get(name).expect(name));
            let (one, other) = (of(ink), of(ground));
            let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
            assert!(
                contrast >= CONTRAST_MIN,
                "{scheme}: {ink} on {ground}: {contrast:.2}"
            );
        }
    }
}

#[test]
fn colours_and_sizes_come_from_the_tokens_alone() {
    let sheet = asset("app.css");
    let units =
        regex::Regex::new(r"\d(px|rem|pt)\b|#[0-9a-fA-F]{3}|rgb|hsl|\b(red|white|black|gr[ae]y)\b")
            .expect("a pattern");
    let mut strange = Vec::new();
    for line in sheet
        .lines()
        .filter(|line| !line.starts_with("@media") && !line.starts_with("/*"))
    {
        let values = line
            .split(['{', ';'])
            .filter_map(|it| it.split_once(": "))
            .map(|(_, value)| value);
        strange.extend(
            values
                .filter(|value| units.is_match(value))
                .map(str::to_owned),
        );
    }
    assert!(strange.is_empty(), "make tokens of these: {strange:#?}");
}

#[test]
fn steps_are_of_four_pixels_and_text_has_five_sizes() {
    let tokens = asset("tokens.css");
    let values = |beginning: &str| -> Vec<&str> {
        let lines = tokens
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with(beginning));
        lines
            .filter_map(|line| line.split_once(": "))
            .map(|(_, value)| value)
            .collect()
    };
    assert_eq!(values("--size-").len(), 5);
    for step in values("--step-") {
        let pixels: u32 = step.trim_end_matches("px;").parse().expect(step);
        assert_eq!(pixels % 4, 0, "{step}");
    }
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
