//! Statements of pages about many records at once: what is ticked, pasted into or found, and the jobs that came of such things, once
//! they have ended.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, written};
use crate::jobs::import;
use crate::requests::Answer;
use crate::statements_counted::{Stated, too_many, wait_for_index};
use crate::undo::sent;
use serde_json::{Value, json};

/// Records that are ticked, and pasted into: as many as a page of the grid has.
const TICKED: usize = 50;
/// Records that there are in the end beside them, and jobs that wait: fewer than may wait.
const RECORDS: usize = 400;
const JOBS: usize = 12;
/// What a form asks for, and shows a page.
const PASTE: &str = "/paste";

/// How many pages these are.
pub(crate) const PAGES: usize = 10;

/// A page: its name, its address, and what it has where it shows what it is about.
type Asked = (&'static str, String, String);

/// Works a job off here and now; nobody does beside the pages.
fn done(server: &AdminServer, id: &str) -> Value {
    let run = server.service.run_job(id);
    server.tokio.block_on(run).expect("a job");
    let job = server.get(&format!("/jobs/{id}"));
    assert_eq!(job["state"], "done", "{job}");
    job
}

/// Pages of records that are ticked or found.
fn pages_of_records(dataset: &str, ids: &[String]) -> Vec<Asked> {
    let own = format!("/app/datasets/{dataset}");
    let ticked: Vec<_> = ids.iter().map(|id| format!("record={id}")).collect();
    let ticked = ticked.join("&");
    let all_of_them = format!("({TICKED})");
    vec![
        (
            "a selection of 50",
            format!("{own}/selected?{ticked}"),
            all_of_them.clone(),
        ),
        (
            "a selection of 50, set",
            format!("{own}/selected?{ticked}&field=f-people&value=1000&show=true"),
            all_of_them,
        ),
        (
            "all that a query finds",
            format!("{own}/selected?q=is%3Afaulty&all=true"),
            r#"name="count" value=""#.to_owned(),
        ),
        (
            "a paste into 50 records",
            format!("{own}{PASTE}"),
            format!("<dd>{TICKED}</dd>"),
        ),
    ]
}

/// Those of jobs that have ended, and of what goes on from them.
fn pages_of_jobs(browser: &Browser<'_>, dataset: &str) -> Vec<Asked> {
    let server = browser.server;
    let own = format!("/app/datasets/{dataset}");
    let rows = "Code,People\nJ1,3\nJ2,few\n";
    let brought = import(server, &server.root, dataset, "?fileName=j.csv", rows).is(201);
    let brought = brought.text("jobId");
    done(server, &brought);
    // nobody but who sent a file goes on with it
    let fields = [("try", "true"), ("mode", "create")];
    let file = browser.import(dataset, &fields, ("tried.csv", "Code,People\nK1,3\n"));
    let file = file.is(303).header("location").expect("a job").to_owned();
    let file = file.trim_start_matches("/app/jobs/");
    done(server, file);
    let options = json!({"field": "People", "action": {"set": 2000}, "dryRun": true});
    let trial = server.make(&format!("/datasets/{dataset}/repairs"), options);
    let trial = trial.text("jobId");
    let tried = done(server, &trial);
    let sample = tried["revisionResult"]["samples"][0]["dataObjectId"].clone();
    let sample = sample.as_str().expect("a record");
    let lines = [
        json!({"create": {"Code": "U1"}}),
        json!({"create": {"Code": "U2"}}),
    ];
    let (undone, made) = sent(server, dataset, &lines);
    // what someone writes meanwhile is left as it is, and named
    let change = json!({"update": {"_dataObjectId": made[0], "_version": 0, "People": 4}});
    sent(server, dataset, &[change]);
    let undo = server.root(&format!("POST /jobs/{undone}/undo"), None);
    let undo = undo.is(201).text("jobId");
    assert_eq!(done(server, &undo)["undoResult"]["left"], 1);
    let record = |id: &str| format!("/records/{id}");
    let job = |id: &str| format!("/app/jobs/{id}");
    vec![
        ("an ended import", job(&brought), "undoJob".to_owned()),
        ("a tried repair", job(&trial), record(sample)),
        (
            "an undone job",
            job(&undone),
            "This job was undone.".to_owned(),
        ),
        ("an undo", job(&undo), record(&made[0])),
        (
            "mend, as it was tried",
            format!("{own}/mend?trial={trial}"),
            r#"value="2000""#.to_owned(),
        ),
        (
            "import, of a file that was tried",
            format!("{own}/import?fileOf={file}"),
            "<strong>tried.csv</strong>".to_owned(),
        ),
    ]
}

/// More records, and jobs that are newer than those that have ended.
fn grow(server: &AdminServer, dataset: &str) {
    let records = (0..RECORDS).map(|at| json!({"Code": format!("N{at}"), "People": "?"}));
    written(server, dataset, &records.collect::<Vec<_>>());
    for _ in 0..JOBS {
        server.make(&format!("/datasets/{dataset}/exports"), json!({}));
    }
}

/// What is told of those that took more than are stated, of few records and of more.
pub(crate) fn of_many(stated: &Stated) -> Vec<String> {
    let server = AdminServer::start();
    server.use_job_files();
    let (dataset, _) = cities(&server);
    let records = (0..TICKED).map(|at| json!({"Code": format!("T{at}"), "People": at}));
    let ids = written(&server, &dataset, &records.collect::<Vec<_>>());
    let browser = Browser::signed_in(&server);
    let mut pages = pages_of_records(&dataset, &ids);
    pages.extend(pages_of_jobs(&browser, &dataset));
    assert_eq!(pages.len(), PAGES);
    let list = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    let cells = json!(vec![["1000"]; TICKED]).to_string();
    let mut pasted = vec![("field", "f-people"), ("cells", &*cells)];
    pasted.extend(ids.iter().map(|id| ("record", &**id)));
    let ask = |path: &str| -> Answer {
        let answer = if path.ends_with(PASTE) {
            browser.send(&list, path, &pasted)
        } else {
            browser.get(path)
        };
        answer.is(200)
    };
    let mut wrong = Vec::new();
    for is_grown in [false, true] {
        if is_grown {
            grow(&server, &dataset);
        }
        wait_for_index(&browser, &dataset);
        for (name, path, has) in &pages {
            let shown = ask(path).body;
            assert!(shown.contains(has), "{name}: {has}: {shown}");
            let found = too_many(&server, stated, name, || drop(ask(path)));
            wrong.extend(found.map(|found| format!("grown {is_grown}, {found}")));
        }
    }
    wrong
}
