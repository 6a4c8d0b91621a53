//! Floors only look down: a room may name only the rooms below it and its own.

use super::sources::rust_files;

/// A floor, and what it may see of its own package.
struct Floor {
    folder: &'static str,
    sees: &'static [&'static str],
}

const FLOORS: &[Floor] = &[
    Floor {
        folder: "runtime/engine/src/value",
        sees: &["value"],
    },
    Floor {
        folder: "runtime/engine/src/validate",
        sees: &["validate", "value", "FieldError"],
    },
    Floor {
        folder: "runtime/server/src/http",
        sees: &["http", "openapi"],
    },
    Floor {
        folder: "runtime/server/src/admin",
        sees: &["admin", "http", "openapi"],
    },
    Floor {
        folder: "runtime/schema/src/json",
        sees: &["json"],
    },
    Floor {
        folder: "runtime/schema/src/format",
        sees: &["format"],
    },
    Floor {
        folder: "runtime/schema/src/check",
        sees: &["check", "data_type", "limits", "model", "Setting"],
    },
];

/// The rooms that a text names by `crate::room`.
fn named_rooms(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .flat_map(|(number, line)| {
            line.match_indices("crate::").map(move |(at, found)| {
                let rest = &line[at + found.len()..];
                let end = rest
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(rest.len());
                (number + 1, &rest[..end])
            })
        })
}

#[test]
fn floors_only_look_down() {
    let mut upward = Vec::new();
    let mut looked_at = 0;
    for file in rust_files() {
        let Some(floor) = FLOORS
            .iter()
            .find(|floor| file.path.starts_with(floor.folder))
        else {
            continue;
        };
        looked_at += 1;
        for (line, room) in named_rooms(&file.text) {
            // a brace opens a list of rooms, which this guard could not read
            if !floor.sees.contains(&room) {
                upward.push(format!("{}:{line}: sees `{room}`", file.path));
            }
        }
    }
    assert!(looked_at > 30, "the floors have files");
    assert!(upward.is_empty(), "these look up:\n{}", upward.join("\n"));
}
