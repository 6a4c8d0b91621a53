//! What the Debian package gives away: what its manifest names is what stands in the list beside `.ci/deb`, which a package that
//! was made is held to.

use crate::support::succeed;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

/// The program as it is packed.
const PROGRAM: &str = "target/release/fieldstone";
/// What `.ci/deb` makes before it packs.
const MADE: &str = "../../target/package/";
/// The pages of commands among it, which are packed on their way.
const PAGES: &str = "man/*.1";

/// A path as the package's manifest has it.
fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(own(path)).expect("a file")
}

/// The names of the files of a folder that fit one that may have a star in it.
fn fitting(folder: &str, name: &str) -> Vec<String> {
    let entries = fs::read_dir(own(folder)).expect("a folder");
    let files = entries
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_file());
    let names = files.map(|file| file.file_name().into_string().expect("a text"));
    let fits = |file: &String| match name.split_once('*') {
        Some((before, behind)) => file.starts_with(before) && file.ends_with(behind),
        None => file == name,
    };
    names.filter(fits).collect()
}

/// What a source of the manifest is called in the package.
fn packed(source: &str) -> Vec<String> {
    let (folder, name) = source.rsplit_once('/').expect("a folder");
    let Some(made) = source.strip_prefix(MADE) else {
        let names = if source == PROGRAM {
            vec![name.to_owned()]
        } else {
            fitting(folder, name)
        };
        assert!(!names.is_empty(), "there is no {source}");
        return names;
    };
    let script = read("../../.ci/deb");
    let (begin, _) = made.split_once("/*").unwrap_or((made, ""));
    assert!(script.contains(&format!("\"$made/{begin}\"")), "{source}");
    if made != PAGES {
        return vec![name.to_owned()];
    }
    let folder = tempdir().expect("a folder");
    let written = succeed(folder.path(), &["man", "man"]);
    let pages = written.lines().filter_map(|path| path.rsplit('/').next());
    pages.map(|page| format!("{page}.gz")).collect()
}

/// Rights as a list of files shows them.
fn shown(rights: &str) -> String {
    let bits = rights
        .chars()
        .map(|digit| digit.to_digit(8).expect("rights"));
    let shown = bits.flat_map(|bits| {
        let of = move |bit: u32, letter: char| if bits & bit == 0 { '-' } else { letter };
        [of(4, 'r'), of(2, 'w'), of(1, 'x')]
    });
    std::iter::once('-').chain(shown).collect()
}

#[test]
fn the_package_gives_away_what_its_manifest_names_and_nothing_else() {
    let manifest: toml::Table = read("Cargo.toml").parse().expect("TOML");
    let package = &manifest["package"]["metadata"]["deb"];
    let text = |value: &toml::Value| value.as_str().expect("a text").to_owned();
    let mut named = BTreeSet::from([format!(
        "{} ./usr/share/doc/{}/copyright",
        shown("644"),
        text(&package["name"])
    )]);
    for asset in package["assets"].as_array().expect("files") {
        let [source, target, rights] = [0_usize, 1, 2].map(|at| text(&asset[at]));
        for name in packed(&source) {
            let path = if target.ends_with('/') {
                format!("{target}{name}")
            } else {
                target.clone()
            };
            named.insert(format!("{} ./{path}", shown(&rights)));
        }
    }
    let units = &package["systemd-units"];
    let unit = format!("{}.service", text(&units["unit-name"]));
    assert_eq!(fitting(&text(&units["unit-scripts"]), &unit), [&*unit]);
    let unit = format!("{} ./usr/lib/systemd/system/{unit}", shown("644"));
    named.insert(unit);
    let list = read("../../.ci/deb.list");
    let listed: BTreeSet<String> = list.lines().map(str::to_owned).collect();
    assert_eq!(named, listed, "`.ci/deb --accept` writes the list anew");
    let scripts = own(&text(&package["maintainer-scripts"]));
    assert!(scripts.join("postinst").is_file(), "who makes the user");
    let license = text(&package["license-file"][0]);
    assert!(own(&license).is_file(), "{license}");
}

#[test]
fn the_package_gives_away_each_page_of_the_handbook_and_what_stands_beside_it() {
    let mut there = BTreeSet::from(["copyright".to_owned()]);
    there.extend(fitting("../docs", "*"));
    let beside = fitting("../docs/operations", "*").into_iter();
    there.extend(beside.map(|name| format!("operations/{name}")));
    let list = read("../../.ci/deb.list");
    let of_folder = |line: &str| {
        let (_, name) = line.split_once(" ./usr/share/doc/fieldstone/")?;
        Some(name.to_owned())
    };
    let given: BTreeSet<String> = list.lines().filter_map(of_folder).collect();
    assert_eq!(there, given, "`.ci/deb --accept` writes the list anew");
}
