//! The section `pages/`: pages of the application in both languages, from home on.

use crate::{http, normal, server::Demo};
use regex::Regex;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs, io,
    path::Path,
};

/// At most so many pages of one route, such as those of datasets.
const PER_ROUTE: usize = 12;

pub(crate) fn freeze(out: &Path, demo: &Demo, cookies: &str) -> io::Result<()> {
    let get = |path: &str, language: &str| {
        let headers = [("Cookie", cookies), ("Accept-Language", language)];
        http::send(&demo.host, "GET", path, &headers, b"")
    };
    let addresses = Regex::new(r##"(?:href|hx-get)="(/app/[^"#]*)"##).expect("a valid pattern");
    let mut waiting = VecDeque::from(["/app/".to_owned()]);
    let mut seen = BTreeSet::from([key(&waiting[0])]);
    let mut per_route: BTreeMap<String, usize> = BTreeMap::new();
    for language in ["en", "de"] {
        fs::create_dir_all(out.join(language))?;
    }
    while let Some(path) = waiting.pop_front() {
        let pattern = masked(&path);
        let count = per_route.entry(pattern.clone()).or_default();
        if *count == PER_ROUTE {
            continue;
        }
        *count += 1;
        let name = pattern.trim_start_matches("/app/").replace('/', "_");
        let name = if name.is_empty() { "home" } else { &name };
        for language in ["en", "de"] {
            let answer = get(&path, language)?;
            // of downloads one says that they are there
            let page = match answer.is_html() {
                true => answer.text(),
                false if *count == 1 => answer.headers("content-type").collect(),
                false => continue,
            };
            let text = format!("{} {pattern}\n{}", answer.status, normal::html(&page));
            fs::write(
                out.join(language).join(format!("{name} {count}.html")),
                text,
            )?;
            for found in addresses.captures_iter(&page) {
                let next = found[1].replace("&amp;", "&").replace("&#38;", "&");
                let is_page = !["/app/assets/", "/app/language/"]
                    .iter()
                    .any(|it| next.starts_with(it));
                if language == "en" && is_page && seen.insert(key(&next)) {
                    waiting.push_back(next);
                }
            }
        }
    }
    Ok(())
}

/// By what a page is told from others: with a query by its route and the query's names, else by its route and the
/// first id in it, so that each dataset shows one record.
fn key(path: &str) -> String {
    let pattern = masked(path);
    let first = path.split('/').find(|it| is_id(it));
    match first {
        Some(id) if !path.contains('?') => format!("{pattern} {id}"),
        _ => pattern,
    }
}

/// An address with `{}` in place of ids, and with the names of its query alone.
fn masked(path: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let words = path.split('/').map(|it| if is_id(it) { "{}" } else { it });
    let path = words.collect::<Vec<_>>().join("/");
    let names: BTreeSet<_> = query
        .split('&')
        .filter_map(|it| it.split('=').next())
        .filter(|it| !it.is_empty())
        .collect();
    if names.is_empty() {
        path
    } else {
        format!("{path}?{}", names.into_iter().collect::<Vec<_>>().join("&"))
    }
}

fn is_id(word: &str) -> bool {
    word.len() > 20 || word.contains(|it: char| it.is_ascii_digit() || it.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::{key, masked};

    #[test]
    fn pages_of_one_route_have_one_pattern() {
        let path =
            "/app/datasets/01a225f6-f121-7ef4-be8f-a35332e06866/records/L0ojOIQDqtJKR1-oB4PGAw";
        assert_eq!(masked(path), "/app/datasets/{}/records/{}");
        assert_eq!(masked("/app/search?q=a&b=&q=c"), "/app/search?b&q");
        assert!(key(path).ends_with("{}/records/{} 01a225f6-f121-7ef4-be8f-a35332e06866"));
    }
}
