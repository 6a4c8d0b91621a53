//! What other floors say in English and a page may show, every other language says too: each text of theirs is read out of
//! the sources, and stands in the languages, or in a list of what no page shows.

use super::sentences::{LANGUAGES, english};
use super::sources::{Source, rust_files};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// Whose refusals, problems and failures of jobs reach pages. What the judgement says of values is held by a test beside
/// the texts.
const SPEAKERS: [&str; 8] = [
    "generator/codegen/src/export/refused.rs",
    "runtime/service/src/",
    "runtime/tabular/src/",
    "runtime/server/src/http/body.rs",
    "runtime/server/src/http/error.rs",
    "runtime/server/src/http/error/store_failed.rs",
    "runtime/server/src/admin/pages/paste/asked.rs",
    "runtime/server/src/admin/pages/schemas/long_lists.rs",
];

const DAMAGE: &str = "of damage, of which a page says no more than that the service failed";
const DERIVED: &str = "what a secret or an id is derived for";
const OWN_WAY: &str = "a page has a way of its own there, and words for it";
const PAGE_KEY: &str = "what a key of a page of a list is of";
const PROGRAMS: &str = "asked by programs alone";
const PROGRAM: &str = "told by the program to those who start it";
const ONE_BY_ONE: &str = "pages write one schema at a time";
const MENDED: &str = "told in part: pages show the columns themselves";

/// What no page shows, and why not: a text, or all of a file.
const UNSHOWN: &[(&str, &str)] = &[
    ("service/src/files/contents.rs", PROGRAM),
    ("service/src/chores.rs", "names of chores, for the log"),
    (
        "service/src/clocks.rs",
        "differences of clocks, for the log",
    ),
    ("service/src/readiness.rs", PROGRAMS),
    (
        "the service is not ready: {}; try again after the seconds in `Retry-After`",
        PROGRAMS,
    ),
    ("service/src/passwords/breached.rs", PROGRAM),
    (
        "service/src/records/bulk/lines.rs",
        "pages write these lines themselves",
    ),
    ("service/src/records/changes.rs", PROGRAMS),
    (
        "service/src/records/system_properties.rs",
        "pages send these as they were read",
    ),
    ("service/src/signing/file.rs", PROGRAM),
    ("service/src/signing/mod.rs", PROGRAM),
    (
        "tabular/src/infer/observation.rs",
        "said by its code in every language",
    ),
    ("no field has the name of the column {}", MENDED),
    ("; if {} is meant, map \"{}={}\"", MENDED),
    ("; \"{}=\" leaves it out", MENDED),
    (
        "no field has the name of the only column {}; if its cells are not parted by a comma, a semicolon, a tab or a bar, say what the delimiter is",
        MENDED,
    ),
    (
        "column {} is behind the last field; if the first row has names, say that it is the header",
        MENDED,
    ),
    ("column {} is for {} too; another one counts", MENDED),
    ("; by likeness: {}", MENDED),
    ("the schemas {} and {} would be one table of {}", ONE_BY_ONE),
    (
        "export them one by one, for databases of their own, or give one another name",
        ONE_BY_ONE,
    ),
    ("split the schema, or export it as JSON Schema", PROGRAM),
    ("give the schema another name", PROGRAM),
    (" at byte ", "cut off before the text is told"),
    (
        "a value that is no object",
        "what a reader of JSON expected, told as it says it",
    ),
    ("download links", DERIVED),
    ("known browsers", DERIVED),
    ("pending sign-ins", DERIVED),
    ("id of the session {}", DERIVED),
    ("csrf token of {}", DERIVED),
    ("the errors of a record", DAMAGE),
    ("the store keeps none", PROGRAM),
    ("it is no object", DAMAGE),
    (
        "non-2xx status code: 4",
        "looked for in what a storage answers",
    ),
    ("list of areas {}", PAGE_KEY),
    ("list of schemas {}", PAGE_KEY),
    ("list of datasets {}", PAGE_KEY),
    ("dead letters {}", PAGE_KEY),
    (
        "may do everything",
        "stored with a role, as its maker's words are",
    ),
    (
        "works with data",
        "stored with a role, as its maker's words are",
    ),
    (
        "`pageSize` must be a whole number from 1 to {}",
        "pages ask for sizes of their own",
    ),
    (
        "an upsert finds its record by the primary key, and the schema has none",
        "pages send no such line",
    ),
    (
        "`field` is no picklist and no boolean of the dataset: `{}`",
        PROGRAMS,
    ),
    (
        "; near ones are ",
        "left out where fields are shown to choose from",
    ),
    (
        "the body must be JSON; send it with `Content-Type: application/json`",
        PROGRAMS,
    ),
    (
        "the body must be JSON objects, one a line; send it with `Content-Type: application/x-ndjson`",
        PROGRAMS,
    ),
    ("the credential is missing or not accepted", OWN_WAY),
    (
        "the password was chosen by someone else; change it first, then sign in again",
        OWN_WAY,
    ),
    (
        "this change needs a fresh proof of who asks; prove the session by the password and send it again",
        OWN_WAY,
    ),
    (
        "the user has a second factor; send its `code` along with the password",
        OWN_WAY,
    ),
    (
        "a second factor is required of the user; set one up first",
        OWN_WAY,
    ),
    (
        "is required, because there are several tenants; give the name of yours",
        OWN_WAY,
    ),
    (
        "the user name, the password or the code is not right, or the user is switched off; where there are several tenants, name the `tenant`",
        OWN_WAY,
    ),
    (
        "the service failed; the request's id is {}, by which the log tells why",
        OWN_WAY,
    ),
    (
        "the changes behind this position are not kept any more; read the dataset's records anew and go on from `latest`, taken before",
        PROGRAMS,
    ),
    (
        "the position is from before the service was restored, and numbers were given again since; read the dataset's records anew and go on from `latest`, taken before",
        PROGRAMS,
    ),
    (
        "the link has run out or is not one of this service; read the data object again for a new one",
        "said by the data interface, which links of files lead to",
    ),
];

/// Macros that write to the log, or tell a mistake of the program.
const MACROS: [&str; 15] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_span",
    "error",
    "info",
    "info_span",
    "panic",
    "trace",
    "trace_span",
    "unreachable",
    "warn",
];
/// What is called with what is thought to be impossible, or becomes no more than that the service failed.
const FUNCTIONS: [&str; 2] = ["expect", "Damaged"];

/// The texts of a source that may be told, in their order.
fn texts(stream: TokenStream, told: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<syn::LitStr>(&literal.to_string());
                told.extend(text.ok().map(|text| text.value()));
            }
            TokenTree::Group(group) => texts(group.stream(), told),
            TokenTree::Ident(name) => at += untold(&name.to_string(), &tokens[at..]),
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                at = behind_attribute(&tokens, at, told);
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// How many tokens behind a name are told to nobody.
fn untold(name: &str, behind: &[TokenTree]) -> usize {
    match behind {
        [TokenTree::Punct(mark), TokenTree::Group(_), ..] => {
            2 * usize::from(mark.as_char() == '!' && MACROS.contains(&name))
        }
        [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Parenthesis => {
            usize::from(FUNCTIONS.contains(&name))
        }
        _ => 0,
    }
}

/// Where it goes on behind an attribute, of which the text of an error is told, and behind what is for tests alone.
fn behind_attribute(tokens: &[TokenTree], mut at: usize, told: &mut Vec<String>) -> usize {
    if matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == '!') {
        at += 1;
    }
    let Some(TokenTree::Group(group)) = tokens.get(at) else {
        return at;
    };
    at += 1;
    let attribute = group.stream().to_string().replace(' ', "");
    if attribute.starts_with("error(") {
        texts(group.stream(), told);
    }
    if attribute != "cfg(test)" {
        return at;
    }
    while let Some(token) = tokens.get(at) {
        at += 1;
        let is_end = match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(mark) => mark.as_char() == ';',
            _ => false,
        };
        if is_end {
            break;
        }
    }
    at
}

/// The texts of a source that are sentences or parts of some, with `{}` for what is filled in.
fn sentences(source: &Source) -> Vec<String> {
    let stream = source.text.parse().expect(&source.path);
    let mut told = Vec::new();
    texts(stream, &mut told);
    let place = Regex::new(r"\{[^{}]*\}").expect("a pattern");
    let words = Regex::new("[a-z]{2,} [a-z]").expect("a pattern");
    let shapes = told.iter().map(|text| place.replace_all(text, "{}"));
    let own = shapes.filter(|text| words.is_match(text));
    own.map(std::borrow::Cow::into_owned).collect()
}

/// How many bytes of a text stand where a pattern has places; none where it is another text.
fn filled(pattern: &str, text: &str) -> Option<usize> {
    let mut parts = pattern.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let parts: Vec<&str> = parts.collect();
    let mut length = 0;
    for (index, part) in parts.iter().copied().enumerate() {
        let at = if index + 1 == parts.len() {
            rest.strip_suffix(part)?.len()
        } else {
            rest.find(part)?
        };
        length += at;
        rest = &rest[at + part.len()..];
    }
    rest.is_empty().then_some(length)
}

/// Whether a language says a text, as a whole or put together of its parts.
fn is_said(text: &str, known: &[&str]) -> bool {
    let sample = text.replace("{}", "7");
    let is_most = |length: usize| 2 * length < sample.len();
    if known
        .iter()
        .any(|pattern| filled(pattern, &sample).is_some_and(is_most))
    {
        return true;
    }
    let parts = text.split("{}").flat_map(|it| it.split("; "));
    let mut parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.all(|part| known.iter().any(|pattern| pattern.contains(part)))
}

/// The English of the words of a language.
fn words(source: &Source) -> impl Iterator<Item = &str> {
    let block = source.text.split_once("const WORDS: ");
    let block = block.and_then(|(_, rest)| rest.split_once("\n];"));
    let block = block.map_or("", |(block, _)| block);
    block.split('"').skip(1).step_by(4)
}

#[test]
fn what_a_page_may_show_of_other_floors_is_said_in_every_language() {
    let sources = rust_files();
    let mut languages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in &sources {
        let own = source.path.strip_prefix(LANGUAGES);
        let Some((language, _)) = own.and_then(|path| path.split_once('/')) else {
            continue;
        };
        let known = languages.entry(language).or_default();
        known.extend(english(source));
        known.extend(words(source));
    }
    languages.remove("en");
    let is_speaker = |source: &&Source| {
        let path = &source.path;
        !path.ends_with("/tests.rs") && SPEAKERS.iter().any(|own| path.starts_with(*own))
    };
    let (mut untold, mut met, mut count) = (Vec::new(), BTreeSet::new(), 0);
    for source in sources.iter().filter(is_speaker) {
        for text in sentences(source) {
            count += 1;
            let is_it = |what: &str| what == text || source.path.ends_with(what);
            if let Some((what, _)) = UNSHOWN.iter().find(|(what, _)| is_it(what)) {
                met.insert(*what);
                continue;
            }
            let lacking = languages.iter().filter(|(_, known)| !is_said(&text, known));
            untold.extend(
                lacking.map(|(language, _)| format!("{language}: {}: {text}", source.path)),
            );
        }
    }
    assert!(untold.is_empty(), "what other languages lack: {untold:#?}");
    let gone = UNSHOWN.iter().filter(|(what, _)| !met.contains(what));
    let gone: Vec<_> = gone.collect();
    assert!(gone.is_empty(), "nobody says these any more: {gone:#?}");
    assert!(count > 300, "only {count} texts were found");
}

#[test]
fn texts_are_found_but_those_of_the_log_and_of_tests() {
    let text = r#"
        //! A room of texts.
        const OLD: &str = "it went by \
            its age";
        #[derive(thiserror::Error)]
        enum Wrong { #[error("the file {} is gone", .0)] Gone(String) }
        fn tell(it: &str) -> Result<(), String> {
            tracing::error!(it, "the log has it");
            let damaged = StoreError::Damaged("a stored record".to_owned());
            it.first().expect("there is one");
            Err(format!("the {it:?} is no such thing; take {}", "another"))
        }
        #[cfg(test)]
        mod tests { const TOLD: &str = "said by nobody"; }
    "#;
    let source = Source {
        path: "a.rs".to_owned(),
        text: text.to_owned(),
    };
    let found = [
        "it went by its age",
        "the file {} is gone",
        "the {} is no such thing; take {}",
    ];
    assert_eq!(sentences(&source), found);
    let known = [
        "the file {} is gone",
        "the {} is no such thing; take {}",
        "{} is",
    ];
    assert!(is_said("the file {} is gone", &known));
    assert!(is_said("no such thing", &known));
    assert!(!is_said("it went by its age", &known));
}
