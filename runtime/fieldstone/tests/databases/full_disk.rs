//! A database whose disk is full: a small write may find room still where larger ones are refused, and servers say that they are not
//! ready all the same. The disk is one of the test's own, for which it must be allowed to mount.

use crate::cities::cities;
use crate::place::Place;
use crate::scrape::{WATCHED, address_of, figure, scrape};
use crate::silence::becomes_ready;
use crate::support::{Server, TIMEOUT};
use serde_json::json;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Room for a database and some thousand records.
const SIZE: &str = "size=48m";
/// Longer than two proofs of a write are apart.
const LONG: Duration = Duration::from_secs(12);

/// Why this machine does not let the test mount, if it does not.
pub(crate) fn refusal_of_mounts() -> Option<&'static str> {
    let mut tried = Command::new("unshare");
    let tried = tried.args(["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
    let is_allowed = tried.output().is_ok_and(|tried| tried.status.success());
    (!is_allowed).then_some("right to mount, as root has it")
}

/// A small disk, which goes with this.
struct Disk(PathBuf);

impl Disk {
    /// In this folder.
    fn mount(folder: &Path) -> Self {
        let disk = folder.join("disk");
        fs::create_dir(&disk).expect("a folder");
        run("mount", &["-t", "tmpfs", "-o", SIZE, "tmpfs"], &disk);
        let disk = Disk(disk);
        fs::create_dir(disk.tables()).expect("a folder");
        run("chown", &["postgres"], &disk.tables());
        // who runs the database passes through these folders
        run("chmod", &["a+rx"], folder);
        disk
    }

    fn tables(&self) -> PathBuf {
        self.0.join("tables")
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }

    fn fill(&self) {
        let mut file = File::create(self.filler()).expect("a file");
        while file.write_all(&[0; 4096]).is_ok() {}
    }

    fn make_room(&self) {
        fs::remove_file(self.filler()).expect("removed");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // whoever has files open there keeps them
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

fn run(program: &str, arguments: &[&str], path: &Path) {
    let status = Command::new(program).args(arguments).arg(path).status();
    assert!(
        status.expect("it starts").success(),
        "{program} {arguments:?}"
    );
}

/// Writes until the database refuses one for lack of room.
fn write_until_refused(server: &Server, key: &str, records: &str) {
    let began = Instant::now();
    for number in 0.. {
        let body = json!({"Name": format!("City {number}")}).to_string();
        let made = server.send("POST", key, records, &body);
        if made.status == 503 {
            return;
        }
        assert_eq!(made.status, 201, "{}", made.body);
        assert!(began.elapsed() < TIMEOUT, "it takes all");
    }
}

pub(crate) fn a_full_disk_is_told_by_readiness_as_long_as_it_is_full() {
    let place = Place::alone();
    let key = place.company();
    let disk = Disk::mount(place.path());
    let (tables, database) = (disk.tables(), place.database());
    let script = format!(
        "CREATE TABLESPACE small LOCATION '{}';
         ALTER DATABASE {database} SET TABLESPACE small;",
        tables.display()
    );
    place.cluster.run(&script).expect("it is moved");
    let server = place.serve("one", &WATCHED);
    let figures = address_of(&server);
    let records = cities(&server, &key);
    becomes_ready(&server);

    disk.fill();
    write_until_refused(&server, &key, &records);
    let full = Instant::now();
    let mut looks = 0;
    // the first look may be told what was proved before the refusal
    while server.get("", "/readyz").status == 200 {
        assert!(full.elapsed() < TIMEOUT, "it says that it is ready");
        std::thread::sleep(Duration::from_millis(100));
    }
    let unready = Instant::now();
    while unready.elapsed() < LONG {
        let ready = server.get("", "/readyz");
        assert_eq!(ready.status, 503, "{}", ready.body);
        assert!(
            ready.body.contains("disk of the database is full"),
            "{}",
            ready.body
        );
        looks += 1;
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(looks > 10, "{looks}");
    assert!(figure(&scrape(&figures), "fieldstone_ready") < 0.1);
    let read = server.get(&key, &format!("{records}/by-pk/Delft"));
    assert_eq!(read.status, 200, "{}", read.body);

    disk.make_room();
    becomes_ready(&server);
    assert!(figure(&scrape(&figures), "fieldstone_ready") > 0.9);
    let body = json!({"Name": "Behind"}).to_string();
    let made = server.send("POST", &key, &records, &body);
    assert_eq!(made.status, 201, "{}", made.body);
    server.stop();
    // before its disk goes
    place.cluster.stop(true).expect("it stops");
}
