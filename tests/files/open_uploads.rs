//! What uploads take while they are under way: memory, places and the quota of bytes.

use crate::setup::{FileSetup, Sending, bytes_below, until};
use runtime::service::{Quotas, Settings};

/// Uploads that one caller may have under way.
const OF_CALLER_MAX: usize = 64;

/// Waits until so many bytes of uploads are on the disk.
fn until_written(setup: &FileSetup, bytes: u64) {
    until(|| (bytes_below(setup.folder.path()) >= bytes).then_some(()));
}

#[test]
fn an_open_upload_takes_a_small_part_of_the_memory_budget() {
    let setup = FileSetup::of_service(&Settings {
        memory_budget_bytes: 4 << 20,
        ..Settings::default()
    });
    let taken = || setup.server.service.memory().taken();
    let content = vec![1; 1_000_000];
    let mut open: Vec<Sending> = (0..10).map(|_| setup.begin_upload(&content)).collect();
    until_written(&setup, 10 * 850_000);
    let each = taken() / 10;
    assert!((100_000..200_000).contains(&each), "{each}");
    // half of the budget is the caller's
    assert_eq!(setup.begin_upload(&content).status(), 503);
    for sending in &mut open {
        assert_eq!(sending.finish(b"end"), 201);
    }
    until(|| (taken() == 0).then_some(()));
}

#[test]
fn a_caller_has_so_many_uploads_under_way_and_no_more() {
    let setup = FileSetup::start();
    let mut open: Vec<Sending> = (0..OF_CALLER_MAX)
        .map(|_| setup.begin_upload(b"abc"))
        .collect();
    // each has its bytes twice: to be written, and as its head
    until(|| (setup.server.service.memory().taken() >= OF_CALLER_MAX * 6).then_some(()));
    let refused = setup.upload_request("x", b"abc").send().plain_error(503);
    assert!(refused.header("retry-after").is_some());
    assert_eq!(open[0].finish(b""), 201);
    setup.upload("x", b"abc");
}

#[test]
fn an_upload_counts_against_the_quota_while_it_is_written() {
    let setup = FileSetup::with_quotas(Quotas {
        file_bytes: 1_000_000,
        ..Quotas::default()
    });
    let mut open = setup.begin_upload(&vec![1; 600_000]);
    until_written(&setup, 450_000);
    let second = setup
        .upload_request("second", &vec![1; 600_000])
        .send()
        .is(403);
    assert!(String::from_utf8_lossy(&second.body).contains("QUOTA_EXCEEDED"));
    setup.upload("third", &vec![1; 300_000]);
    // one that would have more is refused before its end
    assert_eq!(setup.begin_upload(&vec![1; 2_000_000]).status(), 403);
    assert_eq!(open.finish(b""), 201);
    // what is given up makes room again
    let given_up = setup.begin_upload(&vec![1; 90_000]);
    until_written(&setup, 900_000 + 60_000);
    setup.upload_request("x", &vec![1; 90_000]).send().is(403);
    drop(given_up);
    until(|| (bytes_below(setup.folder.path()) == 900_000).then_some(()));
    setup.upload("x", &vec![1; 90_000]);
}
