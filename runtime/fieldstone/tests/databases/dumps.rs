//! Backups by the database's own means: the commands of the manual, as they stand there but for names, and what they bring back.

use crate::cluster;
use crate::museum::{add_paper, hall, link};
use crate::place::Place;
use crate::support::text;
use std::path::Path;
use std::process::Command;

/// The blocks of commands of a section of the page.
fn blocks(section: &str) -> Vec<&'static str> {
    let page = include_str!("../../../docs/scale.md");
    let (_, behind) = page
        .split_once(&format!("\n## {section}\n"))
        .expect("the section");
    let own = behind.split("\n## ").next().expect("its text");
    let blocks = own.split("\n```text\n").skip(1);
    let blocks = blocks.filter_map(|block| block.split("\n```").next());
    blocks.collect()
}

/// Runs commands of the page for a database, whose files are in a folder of the place.
fn run(place: &Place, commands: &str, (database, data): (&str, &str)) {
    let address = format!("'{}'", place.cluster.address(database));
    let socket = place.cluster.folder().display().to_string();
    let in_place = |name: &str| place.path().join(name).display().to_string();
    let (data, backups) = (in_place(data), in_place("backups"));
    let mut meant = commands.to_owned();
    for (word, here) in [
        (
            "postgres://fieldstone@db.example/master?sslmode=require",
            &*address,
        ),
        ("=fieldstone", "=postgres"),
        ("master", database),
        ("db.example", &*socket),
        ("/var/lib/fieldstone", &*data),
        ("/srv/backups", &*backups),
    ] {
        meant = meant.replace(word, here);
    }
    let programs = cluster::programs().expect("there is a PostgreSQL");
    let fieldstone = Path::new(env!("CARGO_BIN_EXE_fieldstone"));
    let mut path = programs.into_os_string();
    for more in [
        fieldstone.parent().expect("a folder").as_os_str(),
        &std::env::var_os("PATH").unwrap_or_default(),
    ] {
        path.push(":");
        path.push(more);
    }
    let mut command = Command::new("bash");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("FIELDSTONE_") {
            command.env_remove(name);
        }
    }
    command.args(["-euo", "pipefail", "-c", &meant]);
    command.current_dir(place.path()).env("PATH", path);
    let output = command.output().expect("it starts");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{meant}\n{out}{err}");
}

pub(crate) fn what_pg_dump_wrote_is_served_again() {
    let place = Place::new();
    let key = place.museum();
    let blocks = blocks("Backups of a database");
    let [dump, restore] = blocks[..] else {
        panic!("two blocks of commands: {blocks:?}");
    };
    let server = place.serve("data", &[]);
    add_paper(&server, &key, "kept with it");
    let records = format!("{}/dataobjects", hall(&server, &key));
    let second = |status: u16| {
        let made = server.send("POST", &key, &records, r#"{"No": "2"}"#);
        assert_eq!(made.status, status, "{}", made.body);
    };
    for name in ["backups", "again"] {
        std::fs::create_dir(place.path().join(name)).expect("a folder");
    }
    run(&place, dump, (place.database(), "data"));
    // the server goes on behind it
    second(201);
    second(400);
    server.stop();

    let database = format!("{}_again", place.database());
    run(&place, restore, (&database, "again"));
    let server = place.serve_at(&place.cluster.address(&database), "again", &[]);
    let paper = server.get("", &link(&server, &key));
    assert_eq!((paper.status, &*paper.body), (200, "kept with it"));
    let by_key = server.get(&key, &format!("{records}/by-pk/2"));
    assert_eq!(by_key.status, 404, "it came later: {}", by_key.body);
    let made = server.send("POST", &key, &records, r#"{"No": "2"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    server.stop();
}
