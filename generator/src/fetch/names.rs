//! Names of schema files. It looks at no file.

use super::download::Download;
use generator::is_device;

/// A file's name for each schema: the one that it is listed in; else its display name, and its id too where two would be
/// the same; a number where even that is taken.
pub(super) fn names(
    downloads: &[Download],
    listed: impl Fn(&Download) -> Option<String>,
) -> Vec<String> {
    let plain: Vec<String> = downloads.iter().map(|schema| slug(&schema.name)).collect();
    let listed: Vec<Option<String>> = downloads.iter().map(listed).collect();
    let mut taken: Vec<String> = listed.iter().flatten().cloned().collect();
    let mut names = Vec::new();
    for ((own, schema), listed) in plain.iter().zip(downloads).zip(listed) {
        if let Some(name) = listed {
            names.push(name);
            continue;
        }
        let is_alone = plain.iter().filter(|other| *other == own).count() == 1;
        let with_id = format!("{own}_{}", slug(&schema.id));
        let numbered = (2..).map(|number| format!("{with_id}_{number}.json"));
        let mut possible = is_alone
            .then(|| format!("{own}.json"))
            .into_iter()
            .chain([format!("{with_id}.json")])
            .chain(numbered);
        // INVARIANT: the numbers have no end
        if let Some(name) = possible.find(|name| !taken.contains(name)) {
            taken.push(name.clone());
            names.push(name);
        }
    }
    names
}

/// A text as a file's name: words in lower case, joined by underscores.
pub(super) fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    match out.trim_end_matches('_') {
        "" => "schema".to_owned(),
        name if is_device(name) => format!("{name}_"),
        name => name.chars().take(60).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_words_and_never_the_same_twice() {
        let all = [
            ("s1", "Product Data-Sheet"),
            ("s2", "../etc"),
            ("s3", "Größe"),
            ("s4", "größe"),
            ("s5", "§"),
            ("X", "twin"),
            ("x", "Twin"),
            ("s6", "Größe S3"),
            ("s7", "CON"),
            ("s8", "Com1"),
            ("s9", "COM10"),
            ("s10", "Com²"),
        ];
        let all: Vec<_> = all
            .iter()
            .map(|(id, name)| Download {
                address: String::new(),
                id: (*id).to_owned(),
                name: (*name).to_owned(),
                version: String::new(),
                text: String::new(),
            })
            .collect();
        let expected = [
            "product_data_sheet.json",
            "etc.json",
            "größe_s3.json",
            "größe_s4.json",
            "schema.json",
            "twin_x.json",
            "twin_x_2.json",
            "größe_s3_s6.json",
            "con_.json",
            "com1_.json",
            "com10.json",
            "com²_.json",
        ];
        assert_eq!(names(&all, |_| None), expected);
    }
}
