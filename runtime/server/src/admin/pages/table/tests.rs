//! The forms of the templates beside the table: where each goes, and what it says that it does.

use super::{PageRoute, does_at, form_at, routes};
use crate::admin::pages::ended::page_of_upload;
use crate::admin::pages::texts::Texts;
use std::collections::BTreeSet;
use std::path::Path;

/// What a tag sends to.
const SENDS: [&str; 3] = ["action", "formaction", "hx-post"];

/// What a text begins with, up to a character that stands in no code of the template.
fn up_to(text: &str, end: char) -> &str {
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let codes = [("{{", "}}"), ("{%", "%}"), ("{#", "#}")];
        let code = codes.into_iter().find(|(open, _)| rest.starts_with(*open));
        if let Some((_, close)) = code {
            rest = rest.split_once(close).map_or("", |(_, behind)| behind);
        } else if next == end {
            return &text[..text.len() - rest.len()];
        } else {
            rest = &rest[next.len_utf8()..];
        }
    }
    text
}

/// Every form of the templates that is sent, from behind `<form` to its end, with its buttons that stand elsewhere.
fn forms() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let mut forms = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for form in text.split("<form").skip(1) {
            let tag = up_to(form, '>');
            let end = form.split_once("</form>").map_or(form, |(form, _)| form);
            // what was refused once goes to where it was going
            if tag.contains("method=\"post\"") && !tag.contains("data-kept") {
                forms.push(end.to_owned() + &buttons_elsewhere(&text, tag));
            }
        }
    }
    assert!(forms.len() > 5, "the templates have forms");
    forms
}

/// The tags of the buttons of a template that name this form as theirs.
fn buttons_elsewhere(template: &str, form: &str) -> String {
    let Some(id) = attribute(form, "id") else {
        return String::new();
    };
    let buttons = template.split("<button").skip(1).map(|it| up_to(it, '>'));
    let own = buttons.filter(|tag| attribute(tag, "form") == Some(id));
    own.flat_map(|tag| ["<button", tag, ">"]).collect()
}

/// The value of a tag's attribute, as the template has it.
fn attribute<'tag>(tag: &'tag str, name: &str) -> Option<&'tag str> {
    let (_, behind) = tag.split_once(&format!(" {name}=\""))?;
    Some(up_to(behind, '"'))
}

/// The addresses that a value may be: `{}` stands for what a page puts in, and each branch of a condition gives one.
fn addresses(value: &str) -> Vec<String> {
    let (mut before, mut ended, mut own) = (Vec::new(), Vec::new(), vec![String::new()]);
    let mut rest = value;
    while !rest.is_empty() {
        let mut text = up_to_code(rest);
        rest = &rest[text.len()..];
        if text.is_empty() {
            let close = if rest.starts_with("{%") { "%}" } else { "}}" };
            let (code, behind) = rest.split_once(close).expect("its end");
            rest = behind;
            let words = code.trim_matches(['{', '%', '-', ' ']);
            match words.split(' ').next() {
                Some("if") => before.clone_from(&own),
                Some("else") => {
                    ended.append(&mut own);
                    own.clone_from(&before);
                }
                Some("endif") => own.append(&mut ended),
                _ => {
                    let literal = words.strip_prefix("page.at(\"");
                    text = literal.map_or("{}", |it| up_to(it, '"'));
                }
            }
        }
        for address in &mut own {
            address.push_str(text);
        }
    }
    // what stands behind is what the form's program asks for
    let paths = own.iter().filter_map(|it| it.split('?').next());
    paths.map(str::to_owned).collect()
}

/// What a value begins with, up to the template's code.
fn up_to_code(value: &str) -> &str {
    let code = ["{{", "{%"].into_iter().filter_map(|it| value.find(it));
    &value[..code.min().unwrap_or(value.len())]
}

/// Whether a path is that of a route, in which something that may stand there stands for each parameter.
fn is_of(path: &str, route: &PageRoute, may_stand: impl Fn(&str) -> bool) -> bool {
    let (own, parts) = (path.split('/'), route.path.split('/'));
    let mut pairs = own.clone().zip(parts.clone());
    own.count() == parts.count()
        && pairs.all(|(own, part)| own == part || part.starts_with('{') && may_stand(own))
}

/// Whether a form's address is that of a route: what is fixed in one is fixed in the other.
fn takes(route: &PageRoute, address: &str) -> bool {
    is_of(address, route, |own| own == "{}")
}

#[test]
fn the_operation_of_a_form_is_found_by_where_it_goes() {
    for (address, operation) in [
        ("/areas", Some("createArea")),
        ("/roles/r-1?saved=1", Some("updateRole")),
        ("/roles/r-1/delete", Some("deleteRole")),
        ("/profile/sessions/end-others", Some("endOtherSessions")),
        ("/profile/sessions/s-1/end", Some("endSession")),
        ("/health", None),
        ("/nowhere", None),
    ] {
        let form = form_at(address);
        assert_eq!(form.map(|it| it.operation), operation, "{address}");
    }
}

/// A text of a language by what templates call it, as its source says it: `page.t.access.email`.
fn text_of(language: &str, name: &str) -> String {
    let parts: Vec<_> = name.trim_start_matches("page.t.").split('.').collect();
    let (file, member) = match parts[..] {
        [member] => ("mod", member),
        [file, member] => (file, member),
        _ => panic!("{name} is no text"),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/admin/pages/texts");
    let source = std::fs::read_to_string(folder.join(format!("{language}/{file}.rs"))).unwrap();
    let text = source.split_once(&format!("\n    {member}: \"")).unwrap().1;
    text.split('"').next().unwrap().to_owned()
}

#[test]
fn a_form_of_records_that_was_held_up_says_what_it_does_itself_and_one_that_deletes_by_the_words_of_its_button()
 {
    let texts = ["en", "de"].map(|it| Texts::of(it).expect("a language"));
    for route in routes().iter().filter(|it| it.operation.is_some()) {
        let is_of_records = route.operation == Some("writeRecords");
        assert_eq!(route.does.is_some(), is_of_records, "{}", route.path);
        for texts in texts {
            assert!(does_at(route.path, texts).is_some(), "{}", route.path);
        }
    }
    let mut seen = 0;
    for (tag, form) in dangers() {
        if attribute(&tag, "data-operation") != Some("writeRecords") {
            continue;
        }
        let address = addresses(attribute(&tag, "action").expect("its address"));
        let button = form.split_once("<button").expect("its button").1;
        let words = &button[up_to(button, '>').len() + 1..];
        let name = words
            .strip_prefix("{{ ")
            .and_then(|it| it.split(' ').next());
        let name = name.expect("a text");
        for texts in texts {
            let does = does_at(&address[0], texts);
            assert_eq!(does, Some(text_of(texts.code, name)), "{address:?}");
        }
        seen += 1;
    }
    assert_eq!(seen, 3, "a record, a file of it, and ticked records");
}

/// The forms of what is opened before it is pressed: the tag of each, and all of it behind that.
fn dangers() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let mut dangers = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for details in text.split("<details class=\"danger\"").skip(1) {
            let form = details.split("<form").nth(1).expect("its form");
            let tag = up_to(form, '>');
            dangers.push((tag.to_owned(), form[tag.len()..].to_owned()));
        }
    }
    dangers
}

#[test]
fn a_form_that_brings_a_file_has_a_page_to_come_back_to() {
    let routes = routes();
    let mut seen = 0;
    for form in forms() {
        let tag = up_to(&form, '>');
        if attribute(tag, "enctype") != Some("multipart/form-data") {
            continue;
        }
        for address in addresses(attribute(tag, "action").expect("its address")) {
            let page = page_of_upload(&address.replace("{}", "x"));
            let page = page.unwrap_or_else(|| panic!("{address} leads back to no page"));
            let mut pages = routes.iter().filter(|it| it.operation.is_none());
            let is_page = pages.any(|it| is_of(&page, it, |_| true));
            assert!(is_page, "{page}");
            seen += 1;
        }
    }
    assert!(seen > 3, "{seen}");
}

#[test]
fn each_form_does_the_operation_that_it_names_and_each_operation_has_its_form() {
    let routes = routes();
    let mut reached = BTreeSet::new();
    for form in forms() {
        let named = attribute(up_to(&form, '>'), "data-operation");
        let mut sends = 0;
        for tag in form.split('<').map(|it| up_to(it, '>')) {
            // a button may send its form to an operation of its own
            let operation = attribute(tag, "data-operation").or(named);
            let values = SENDS.into_iter().filter_map(|it| attribute(tag, it));
            for address in values.flat_map(addresses) {
                let mut to = routes.iter().filter(|it| it.operation.is_some());
                let to = to.find(|route| takes(route, &address));
                let to = to.unwrap_or_else(|| panic!("{address} takes no form"));
                assert_eq!(operation, to.operation, "{address}");
                reached.insert(to.path);
                sends += 1;
            }
        }
        assert!(sends > 0, "it goes nowhere: {form}");
    }
    let taken = routes.iter().filter(|it| it.operation.is_some());
    let taken: BTreeSet<_> = taken.map(|it| it.path).collect();
    let left: Vec<_> = taken.difference(&reached).collect();
    assert!(left.is_empty(), "no form goes to {left:?}");
}

#[test]
fn management_has_the_operation_of_each_form() {
    let endpoints = crate::admin::endpoints();
    let known: BTreeSet<&str> = endpoints.iter().map(|it| it.operation.id()).collect();
    let own: BTreeSet<&str> = routes().iter().filter_map(|it| it.operation).collect();
    let more: Vec<_> = own.difference(&known).collect();
    assert!(more.is_empty(), "management can't do this: {more:?}");
}

#[test]
fn addresses_are_read_out_of_a_template() {
    for (value, expected) in [
        (r#"{{ page.at("/keys") }}"#, &["/keys"] as &[&str]),
        (
            r#"{{ page.at("/a/") }}{{ id|urlencode }}/b?part=c"#,
            &["/a/{}/b"],
        ),
        (
            r#"{{ page.at("/a/") }}{{ id }}{% if id.is_empty() %}/new{% else %}/b/{{ own }}{% endif %}/c"#,
            &["/a/{}/b/{}/c", "/a/{}/new/c"],
        ),
    ] {
        assert_eq!(addresses(value), expected, "{value}");
    }
    let routes = routes();
    let is_taken = |address: &str| routes.iter().any(|it| takes(it, address));
    assert!(is_taken("/datasets/{}/views/replace") && is_taken("/datasets/{}/views/{}"));
    assert!(!is_taken("/datasets/{}/views/rename") && !is_taken("/datasets/{}/views/{}/more"));
}

#[test]
fn each_form_holds_the_token_of_the_session_or_of_the_browser() {
    for form in forms() {
        assert!(form.contains("name=\"token\""), "{form}");
    }
}

#[test]
fn no_form_holds_a_list_of_codes_a_second_time() {
    // what was typed is in the form of the domain, which may hold thousands
    for form in forms() {
        assert!(!form.contains(r#"type="hidden" name="codes""#), "{form}");
    }
}

#[test]
fn each_form_is_among_the_inputs_of_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/requests");
    let mut asked = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let input = std::fs::read(entry.unwrap().path()).unwrap();
        let input = String::from_utf8_lossy(&input).into_owned();
        let line = input.lines().next().unwrap_or_default();
        let path = line
            .strip_prefix("POST ")
            .and_then(|it| it.strip_prefix(crate::admin::pages::PATH));
        asked.extend(path.map(str::to_owned));
    }
    let forms = routes().into_iter().filter(|it| it.operation.is_some());
    let missing: Vec<_> = forms
        .filter(|form| !asked.iter().any(|path| is_of(path, form, |_| true)))
        .map(|form| form.path)
        .collect();
    assert!(missing.is_empty(), "no input asks these: {missing:?}");
}
