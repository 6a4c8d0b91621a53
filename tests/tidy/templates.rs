//! What stands in templates: no words but those of the texts, so that every language has them; nothing red but a fault.

use super::sources::root;
use regex::Regex;
use std::fs;

/// Names that every language has.
const NAMES: &[&str] = &[
    "client_secret",
    "openapi.json",
    "API",
    "Fieldstone",
    "Id",
    "KiB",
    "OpenAPI",
    "Python",
    "Rust",
    "TypeScript",
    "curl",
    "gzip",
    "zstd",
    "UK = GB",
];

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

/// Each template, by name and text.
fn templates() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join("runtime/server/templates")).expect("templates");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let read = paths.map(|path| {
        let text = fs::read_to_string(&path).expect("a text");
        let name = path.file_name().unwrap_or_default();
        (name.to_string_lossy().into_owned(), text)
    });
    read.collect()
}

/// The words of a template's own, that people read or hear.
fn own_words(template: &str) -> Vec<String> {
    let code = pattern(r"(?s)\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}");
    let markup = code.replace_all(template, " ");
    let heard = pattern(r#"\s(?:aria-label|placeholder|title|alt)="([^"]*)""#);
    let heard = heard.captures_iter(&markup).map(|it| it[1].to_owned());
    let mut said = heard.collect::<Vec<_>>().join(" ");
    said.push(' ');
    // what a program is told is the same everywhere
    let shown =
        pattern(r"(?s)<(code|pre)\b.*?</(code|pre)>|<[^>]*>|&\w+;").replace_all(&markup, " ");
    said.push_str(&shown);
    for name in NAMES {
        said = pattern(&format!(r"\b{}\b", regex::escape(name)))
            .replace_all(&said, " ")
            .into_owned();
    }
    let words = pattern(r"\p{L}{2,}");
    words
        .find_iter(&said)
        .map(|it| it.as_str().to_owned())
        .collect()
}

#[test]
fn templates_have_no_words_that_another_language_lacks() {
    let found = templates()
        .into_iter()
        .map(|(name, text)| (name, own_words(&text)));
    let found: Vec<_> = found.filter(|(_, words)| !words.is_empty()).collect();
    assert!(found.is_empty(), "these belong into the texts: {found:#?}");
    for (template, words) in [
        (
            "<p>{{ page.t.saved }}</p><code>curl -H x</code>",
            &[] as &[&str],
        ),
        ("<p class=\"muted\">API · {{ a }} KiB</p>", &[]),
        ("<p>Saved, {{ name }}</p>", &["Saved"]),
        ("<a aria-label=\"Close it\">×</a>", &["Close", "it"]),
    ] {
        assert_eq!(own_words(template), words, "{template}");
    }
}

/// Templates whose form stands open below the list of what it makes: there is nothing to go back to.
const BELOW_THEIR_LIST: [&str; 2] = ["areas.html", "keys.html"];

#[test]
fn a_form_has_a_way_back_beside_what_it_is_for() {
    let ways = ["page.t.cancel", "page.t.back", "page.t.to_faults"];
    let is_stuck = |form: &&str| {
        form.contains("class=\"primary") && !ways.iter().any(|way| form.contains(way))
    };
    let mut forms = 0;
    for (name, text) in templates() {
        let own = text.split("<form class=\"record\"").skip(1);
        let own: Vec<_> = own.filter_map(|it| it.split("</form>").next()).collect();
        forms += own.len();
        if BELOW_THEIR_LIST.contains(&&*name) {
            let leads_back = |form: &&str| form.contains("page.t.cancel");
            assert!(!own.iter().any(leads_back), "{name}: back to where?");
            continue;
        }
        let stuck: Vec<_> = own.iter().copied().filter(|it| is_stuck(it)).collect();
        assert!(stuck.is_empty(), "{name}: {stuck:#?}");
    }
    assert!(forms > 15, "only {forms} forms were found");
}

/// The tags of a template's forms that say which version they were made from (or what was there), and of those whose inputs a
/// browser fills in anew.
fn filled_in_anew(template: &str) -> Vec<&str> {
    const OF_THEN: [&str; 4] = [
        r#"name="version""#,
        r#"name="seen""#,
        r#"name="w-"#,
        "::named(",
    ];
    let forms = template.split("<form").skip(1);
    let forms = forms.filter_map(|it| it.split("</form>").next());
    let posted = forms.filter_map(|form| {
        let tag = form.lines().next()?;
        let is_of_then = OF_THEN.iter().any(|name| form.contains(name));
        (is_of_then && tag.contains(r#"method="post""#)).then_some(tag)
    });
    let off = pattern(r#"^[^\n]* data-operation="\w+" autocomplete="off">"#);
    posted.filter(|tag| !off.is_match(tag)).collect()
}

#[test]
fn no_form_gets_what_was_typed_into_an_older_one_since_that_would_be_written_over_a_newer_version()
{
    for (name, text) in templates() {
        let found = filled_in_anew(&text);
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
    let form = |more: &str, input: &str| {
        format!("<form method=\"post\" data-operation=\"updateX\"{more}>\n{input}</form>")
    };
    let off = r#" autocomplete="off""#;
    for input in [
        r#"<input name="version">"#,
        r#"<input type="hidden" name="seen">"#,
        r#"<input name="w-{{ id }}">"#,
        "{% call parts::named(page, form) %}",
    ] {
        assert_eq!(filled_in_anew(&form("", input)).len(), 1, "{input}");
        assert_eq!(filled_in_anew(&form(off, input)), [""; 0], "{input}");
    }
    let others = form("", r#"<input autocomplete="off">"#);
    assert_eq!(filled_in_anew(&others), [""; 0]);
}

/// The links and forms of a template that lead to the address at which it happens to be shown.
fn leading_nowhere(template: &str) -> Vec<&str> {
    let links = template.match_indices("href=\"?").map(|(at, _)| at);
    let forms = template.match_indices("<form").map(|(at, _)| at);
    let forms = forms.filter(|at| {
        let tag = template[*at..].lines().next().unwrap_or_default();
        tag.contains("method=\"get\"") && !tag.contains(" action=\"")
    });
    let all = links.chain(forms);
    all.filter_map(|at| template[at..].lines().next()).collect()
}

#[test]
fn links_and_forms_have_whole_addresses_since_a_refused_form_is_answered_at_its_own() {
    for (name, text) in templates() {
        let found = leading_nowhere(&text);
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
    for template in [
        "<a href=\"?a=1\">x</a>",
        "<form class=\"q\" method=\"get\">",
    ] {
        assert_eq!(
            leading_nowhere(template),
            [template].map(|it| &it[it.find("href").unwrap_or(0)..])
        );
    }
    assert_eq!(
        leading_nowhere("<form method=\"get\" action=\"/x\"><a href=\"/x?a=1\">"),
        [""; 0]
    );
}

/// The forms of a template that take something away: what each is for, what stands right before it, and the form.
fn taking_away(template: &str) -> Vec<(String, String, String)> {
    let operation = pattern(
        r#" data-operation="((?:delete|discard|rotate|renew|remove|end)\w*|inviteUserAgain)""#,
    );
    let address = pattern(r#"/(delete|remove)" data-operation="writeRecords""#);
    let starts = template.match_indices("<form").map(|(at, _)| at);
    let forms = starts.filter_map(|at| {
        let form = template[at..].split("</form>").next()?;
        let tag = form.lines().next()?;
        let named = operation.captures(tag).or_else(|| address.captures(tag))?;
        let before = template[..at].rsplit("<details").next()?;
        Some((named[1].to_owned(), before.to_owned(), form.to_owned()))
    });
    forms.collect()
}

/// Whether such a form is below a sentence that has to be opened first, and says what will be.
fn is_asked_twice(before: &str, form: &str) -> bool {
    let opened = pattern(r#"^ class="danger"(?: id="[a-z-]+")?><summary[^>]*>[^<]*</summary>\s*$"#);
    let code = pattern(r"\{\{.*?\}\}");
    opened.is_match(&code.replace_all(before, "x")) && form.contains("<p>")
}

#[test]
fn whatever_takes_something_away_is_asked_twice_in_one_way_and_says_what_it_does() {
    let mut forms = 0;
    for (name, text) in templates() {
        for (named, before, form) in taking_away(&text) {
            forms += 1;
            assert!(is_asked_twice(&before, &form), "{name}: {named}");
        }
    }
    assert!(forms > 18, "only {forms} forms were found");
    let form = r#"<form method="post" data-operation="deleteX"><p>It goes.</p><button>{{ t }}</button></form>"#;
    let asked =
        format!("<details class=\"danger\"><summary>{{{{ t }}}}</summary>\n{form}</details>");
    for (template, is_asked) in [
        (asked.as_str(), true),
        (form, false),
        (format!("{asked}{form}").as_str(), false),
        (asked.replace("<p>It goes.</p>", "").as_str(), false),
    ] {
        let forms = taking_away(template);
        assert!(!forms.is_empty(), "{template}");
        let all = forms
            .iter()
            .all(|(_, before, form)| is_asked_twice(before, form));
        assert_eq!(all, is_asked, "{template}");
    }
}

/// What selectors of red things name: a value with a fault, how many there are, and how many there were.
const FAULTY: &[&str] = &[
    ".fault",
    ".bad",
    ".why",
    ".share .part",
    ".trend",
    "\"tried\"",
];

/// Selectors that paint red what is no fault.
fn red_selectors(sheet: &str) -> Vec<String> {
    let sheet = pattern(r"(?s)/\*.*?\*/").replace_all(sheet, "");
    let rules = pattern(r"([^{}]+)\{([^{}]*)\}");
    let red = rules
        .captures_iter(&sheet)
        .filter(|rule| rule[2].contains("var(--fault"));
    let selectors = red.flat_map(|rule| {
        let selectors = rule[1].split(',').map(|it| it.trim().to_owned());
        selectors.collect::<Vec<_>>()
    });
    let is_of_none = |it: &String| !FAULTY.iter().any(|name| it.contains(name));
    selectors.filter(is_of_none).collect()
}

/// What of a template is red and says nothing of a fault, by itself or in what stands in it.
fn red_tags(name: &str, template: &str) -> Vec<String> {
    let tag = r"<(?:\{%.*?%\}|\{\{.*?\}\}|[^<>{]|\{[^%{])*>";
    let red = pattern(r#"class="[^"]*\b(?:bad|why)\b|shares::share\("part""#);
    let tags = pattern(&format!(r"{tag}|\{{% call .*?%\}}"));
    let tags = tags
        .find_iter(template)
        .filter(|tag| red.is_match(tag.as_str()));
    let told = tags.map(|tag| {
        let behind: String = template[tag.end()..].chars().take(60).collect();
        format!("{}{behind}", tag.as_str())
    });
    // of a dataset's tile, the part of the records that is faulty
    let says_so = |text: &String| text.contains("fault") || text.contains("tile.share");
    let strange = told.filter(|text| !name.contains("fault") && !says_so(text));
    strange.map(|text| format!("{name}: {text}")).collect()
}

#[test]
fn red_stands_for_a_fault_and_for_nothing_else() {
    let sheets =
        ["app.css", "pages.css"].map(|name| text_of(&format!("runtime/server/assets/{name}")));
    let sheet = sheets.concat();
    let strange = red_selectors(&sheet);
    assert!(strange.is_empty(), "red, and no fault: {strange:#?}");
    let all = templates();
    let strange = all.iter().flat_map(|(name, text)| red_tags(name, text));
    let strange: Vec<_> = strange.collect();
    assert!(strange.is_empty(), "red, and no fault: {strange:#?}");
    // what is looked for is found
    assert!(sheet.contains("var(--fault)") && all.len() > 50);
    let sheet = ".danger, .why { color: var(--fault); } .muted { color: var(--soft); }";
    assert_eq!(red_selectors(sheet), [".danger"]);
    for template in [
        r#"<p class="bad">{{ page.t.deleted }}</p>"#,
        r#"<p>{% call shares::share("part", row.share) %}{% endcall %}</p>"#,
    ] {
        assert_eq!(red_tags("x", template).len(), 1, "{template}");
    }
}

#[test]
fn the_markup_of_a_share_stands_in_one_place() {
    let all = templates();
    let has = |what: &str| {
        let own = all.iter().filter(|(_, text)| text.contains(what));
        own.map(|(name, _)| name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(has("<rect"), ["shares.html"]);
    assert!(
        has("shares::share(").len() > 4,
        "who shows a share asks for it"
    );
}
