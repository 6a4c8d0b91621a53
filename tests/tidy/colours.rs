//! The colours of the application: what is read can be read on what it stands on, and nothing has a colour but what is faulty
//! and what can be done.

use super::pages::asset;
use std::collections::BTreeMap;

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
    ("soft", "accent-ground"),
    ("accent", "ground"),
    ("accent", "surface"),
    ("accent", "raised"),
    ("accent", "accent-ground"),
    ("accent-ink", "accent"),
    ("surface", "ink"),
    ("fault", "ground"),
    ("fault", "surface"),
    ("fault", "fault-ground"),
    ("fault", "raised"),
    ("accent", "fault-ground"),
    ("soft", "fault-ground"),
];
/// What WCAG asks of text.
const CONTRAST_MIN: f64 = 4.5;
/// The edge by which a button is told from what it stands on, and an input.
const EDGES: &[(&str, &str)] = &[
    ("control", "ground"),
    ("control", "surface"),
    ("control", "raised"),
    ("control", "accent-ground"),
    ("control", "fault-ground"),
    ("soft", "surface"),
];
/// What WCAG asks of the edge of what can be used.
const EDGE_CONTRAST_MIN: f64 = 3.0;

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
        for (pairs, least) in [(PAIRS, CONTRAST_MIN), (EDGES, EDGE_CONTRAST_MIN)] {
            for (ink, ground) in pairs {
                let of = |name: &str| luminance(*colours.get(name).expect(name));
                let (one, other) = (of(ink), of(ground));
                let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                assert!(
                    contrast >= least,
                    "{scheme}: {ink} on {ground}: {contrast:.2}"
                );
            }
        }
    }
}

/// How much of a colour there is in one, from 0 to 1: the saturation of HSL.
fn saturation(colour: [u8; 3]) -> f64 {
    let parts = colour.map(|part| f64::from(part) / 255.0);
    let most = parts.into_iter().fold(0.0, f64::max);
    let least = parts.into_iter().fold(1.0, f64::min);
    let room = 1.0 - (most + least - 1.0).abs();
    if room > 0.0 {
        (most - least) / room
    } else {
        0.0
    }
}

/// Where a colour stands on the wheel, in degrees.
fn hue(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(f64::from);
    let across = 3.0_f64.sqrt() * (green - blue);
    across.atan2(2.0 * red - green - blue).to_degrees()
}

/// What is grey: at most so much of a colour is in it.
const GREY_MAX: f64 = 0.25;
/// How far the shades of one colour are from it, in degrees.
const SHADE_MAX: f64 = 8.0;

/// The tokens that are neither grey, nor a shade of the colour of faults or of the accent.
fn strange_colours(tokens: &BTreeMap<String, [u8; 3]>) -> Vec<&str> {
    let own = ["fault", "accent"].map(|name| hue(tokens[name]));
    let is_shade = |colour: [u8; 3]| {
        let apart = own.map(|own| (hue(colour) - own).rem_euclid(360.0));
        apart.iter().any(|it| it.min(360.0 - it) <= SHADE_MAX)
    };
    let strange = tokens.iter();
    let strange = strange.filter(|(_, own)| saturation(**own) > GREY_MAX && !is_shade(**own));
    strange.map(|(name, _)| name.as_str()).collect()
}

#[test]
fn the_tokens_have_one_red_and_one_accent() {
    let tokens = asset("tokens.css");
    let (light, dark) = tokens
        .split_once("prefers-color-scheme: dark")
        .expect("both");
    for block in [light, dark] {
        let mut colours = colours(block);
        assert!(colours.len() > 10, "{colours:?}");
        assert_eq!(strange_colours(&colours), [""; 0]);
        // a green and an orange are found, a grey and a shade of the accent are not
        for (name, colour) in [
            ("a-grey", [0x6b, 0x70, 0x74]),
            ("a-shade", [0x2a, 0x7f, 0x9a]),
            ("good", [0x1e, 0x84, 0x49]),
            ("late", [0xd8, 0x7a, 0x16]),
        ] {
            colours.insert(name.to_owned(), colour);
        }
        assert_eq!(strange_colours(&colours), ["good", "late"]);
    }
}
