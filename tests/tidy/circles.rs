//! No circles: the files of a crate, and the rooms on each of its floors, see one another in one direction
//! (docs/architecture.md, "Laws"). Circles that are known stand in `circles_known.txt` until they are
//! untied: a new one fails, and so does a line whose circle is gone.
//!
//! A file that looks up at the file of a module around it (a room's central type, say) is not counted: that
//! pair is told, and fails nobody. `cargo test -p tests --test tidy circles -- --nocapture` tells all.

mod edges;
mod knots;
mod tree;

use crate::sources::{packages, root};
use edges::{Edge, edges};
use knots::knots;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tree::Tree;

const LIST: &str = "tests/tidy/circles_known.txt";

/// The roots of all crates of the workspace, from its root.
fn crate_roots() -> Vec<PathBuf> {
    let mut roots = BTreeSet::new();
    for member in packages() {
        let folder = Path::new(&member);
        let named = read(&format!("{member}/Cargo.toml"));
        let named = named
            .lines()
            .filter_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
        roots.extend(named.map(|path| folder.join(path)));
        for usual in ["src/lib.rs", "src/main.rs", "build.rs"] {
            roots.insert(folder.join(usual));
        }
        for targets in ["tests", "benches", "examples", "src/bin"] {
            // the package of tests keeps its own in folders beside its manifest
            let Ok(entries) = fs::read_dir(root().join(&member).join(targets)) else {
                continue;
            };
            for entry in entries.flatten() {
                let path = folder.join(targets).join(entry.file_name());
                let is_file = path.extension().is_some_and(|ending| ending == "rs");
                roots.insert(if is_file { path } else { path.join("main.rs") });
            }
        }
    }
    roots
        .into_iter()
        .filter(|path| root().join(path).is_file())
        .collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A circle: its line in the list, and the edges that close it.
struct Circle {
    line: String,
    edges: Vec<String>,
}

/// What one crate has of circles.
#[derive(Default)]
struct Found {
    circles: Vec<Circle>,
    /// Files that see a file beneath them which looks up at them.
    of_parents: Vec<String>,
}

fn look_at(tree: &Tree) -> Found {
    let module = |file: usize| tree.files[file].module;
    let (up, across): (Vec<Edge>, Vec<Edge>) = edges(tree)
        .into_iter()
        .partition(|edge| tree.is_below(module(edge.from), module(edge.to)));
    let mut found = Found::default();
    let pairs: BTreeSet<_> = across.iter().map(|edge| (edge.from, edge.to)).collect();
    for (child, parent) in up.iter().map(|edge| (edge.from, edge.to)) {
        if pairs.contains(&(parent, child)) {
            let line = format!("{} and {}", tree.files[parent].path, tree.files[child].path);
            found.of_parents.push(line);
        }
    }
    found.of_parents.sort();
    found.of_parents.dedup();
    for knot in knots(&pairs) {
        let paths: Vec<&str> = knot.iter().map(|file| &*tree.files[*file].path).collect();
        found.circles.push(Circle {
            line: format!("files: {}", sorted(paths)),
            edges: closing(&across, |edge| {
                let inside = knot.contains(&edge.from) && knot.contains(&edge.to);
                inside.then_some((edge.from, edge.to))
            }),
        });
    }
    for room in 0..tree.files.len() {
        found.circles.extend(circles_of_room(tree, &across, room));
    }
    found
}

/// Circles between the rooms and files that stand directly in a module's folder.
fn circles_of_room(tree: &Tree, across: &[Edge], room: usize) -> Vec<Circle> {
    let lifted = |edge: &Edge| {
        let from = child_on_the_way(tree, room, edge.from)?;
        let to = child_on_the_way(tree, room, edge.to)?;
        (from != to).then_some((from, to))
    };
    let arrows = across.iter().filter_map(lifted).collect();
    let has_rooms = |knot: &BTreeSet<usize>| {
        // files alone are told as files
        let is_room = |file: &usize| {
            tree.files
                .iter()
                .any(|other| tree.is_below(other.module, tree.files[*file].module))
        };
        knot.iter().any(is_room)
    };
    let knots = knots(&arrows).into_iter().filter(has_rooms);
    knots
        .map(|knot| {
            let names = knot.iter().map(|file| room_name(&tree.files[*file].path));
            let folder = folder_of(&tree.files[room].path);
            Circle {
                line: format!("rooms of {folder}: {}", sorted(names.collect())),
                edges: closing(across, |edge| {
                    lifted(edge).filter(|(from, to)| knot.contains(from) && knot.contains(to))
                }),
            }
        })
        .collect()
}

/// The file directly beneath `room` that is `file` or holds it.
fn child_on_the_way(tree: &Tree, room: usize, file: usize) -> Option<usize> {
    let mut file = file;
    loop {
        let parent = tree.modules[tree.files[file].module].parent?;
        let above = tree.modules[parent].file;
        if above == room {
            return Some(file);
        }
        file = above;
    }
}

fn sorted(mut names: Vec<&str>) -> String {
    names.sort_unstable();
    names.join(" ")
}

/// `runtime/src/http/mod.rs` and `runtime/src/http.rs` are the room `http`.
fn room_name(path: &str) -> &str {
    let path = path.strip_suffix("/mod.rs").unwrap_or(path);
    let path = path.strip_suffix(".rs").unwrap_or(path);
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder of a module's children.
fn folder_of(path: &str) -> &str {
    for root in ["/mod.rs", "/lib.rs", "/main.rs"] {
        if let Some(folder) = path.strip_suffix(root) {
            return folder;
        }
    }
    path.strip_suffix(".rs").unwrap_or(path)
}

/// One place for each pair that sees one another, the rarest pairs first: those are cut most easily.
fn closing(across: &[Edge], pair: impl Fn(&Edge) -> Option<(usize, usize)>) -> Vec<String> {
    let mut places: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    for edge in across {
        if let Some(pair) = pair(edge) {
            places.entry(pair).or_default().push(&edge.place);
        }
    }
    let mut places: Vec<_> = places.into_values().collect();
    places.sort_by_key(Vec::len);
    places
        .iter()
        .map(|places| format!("{} ({} in all)", places[0], places.len()))
        .collect()
}

#[test]
fn there_are_no_circles_but_the_known_ones() {
    let roots = crate_roots();
    assert!(roots.len() > 10, "the walk finds the crates");
    let mut circles = BTreeMap::new();
    let mut of_parents = BTreeSet::new();
    for path in roots {
        let found = look_at(&Tree::read(&path));
        for circle in found.circles {
            circles.insert(circle.line, circle.edges);
        }
        of_parents.extend(found.of_parents);
    }
    println!("see one another up and down ({}):", of_parents.len());
    for pair in &of_parents {
        println!("  {pair}");
    }
    for (line, edges) in &circles {
        println!("{line}\n  {}", edges.join("\n  "));
    }
    let known = read(LIST);
    let known: BTreeSet<&str> = known.lines().collect();
    let found: BTreeSet<&str> = circles.keys().map(String::as_str).collect();
    let new: Vec<String> = found
        .difference(&known)
        .map(|line| format!("{line}\n  {}", circles[*line].join("\n  ")))
        .collect();
    let gone: Vec<&&str> = known.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "untie the new circles, take those that are gone out of {LIST}\n\nnew:\n{}\n\ngone:\n{gone:#?}",
        new.join("\n"),
    );
}

/// Writes a crate, each file as its path and text, and gives its circles and its pairs of parent and child.
fn circles_of(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let found = look_at(&Tree::read(&folder.path().join("lib.rs")));
    let prefix = format!("{}/", folder.path().to_str().unwrap());
    let short = |line: &String| {
        line.replace(&prefix, "")
            .replace(&prefix[..prefix.len() - 1], "")
    };
    let circles = found.circles.iter().map(|circle| short(&circle.line));
    let of_parents = found.of_parents.iter().map(short);
    (circles.collect(), of_parents.collect())
}

#[test]
fn a_circle_is_found_through_re_exports_and_rooms() {
    let (circles, of_parents) = circles_of(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a/mod.rs", "mod deep; mod flat; pub(crate) use deep::Deep;"),
        // a path, a re-export, a macro's tokens, a module that is imported by name
        (
            "a/deep.rs",
            "pub(crate) struct Deep; fn f() -> super::super::b::B { todo!() }",
        ),
        ("a/flat.rs", "use crate::c; fn g() { c::h() }"),
        (
            "b.rs",
            "pub(crate) struct B; fn f() { println!(\"{}\", crate::a::Deep::NAME) }",
        ),
        // looks down alone, but for its tests
        (
            "c.rs",
            "pub(crate) fn h() {} #[cfg(test)] mod tests { use crate::b::B; fn t(_: B) {} }",
        ),
    ]);
    assert_eq!(circles, ["files: a/deep.rs b.rs", "rooms of : a b"]);
    assert!(of_parents.is_empty(), "{of_parents:?}");
}

#[test]
fn a_room_and_its_central_type_are_told_apart() {
    let (circles, of_parents) = circles_of(&[
        ("lib.rs", "mod room;"),
        ("room.rs", "mod part; pub struct Room(part::Part);"),
        (
            "room/part.rs",
            "pub(super) struct Part; impl super::Room { fn part() {} }",
        ),
    ]);
    assert!(circles.is_empty(), "{circles:?}");
    assert_eq!(of_parents, ["room.rs and room/part.rs"]);
}
