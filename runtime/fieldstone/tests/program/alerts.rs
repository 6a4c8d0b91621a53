//! What the alerts and the dashboard ask for is told by a server that is watched: each figure, each label, and each value of one
//! that they name.

use crate::cities::{cities, company};
use crate::deployments::{documents, file};
use crate::scrape::{WATCHED, address_of, scrape};
use crate::support::Server;
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A question of a rule, or of a panel with what it writes beside the answer.
struct Asked {
    question: String,
    legend: String,
}

/// The rules of the alerts.
fn rules() -> Vec<Value> {
    let alerts = documents("alerts.yaml").remove(0);
    let rules = alerts["groups"][0]["rules"].as_array();
    rules.expect("rules").clone()
}

/// The question of an alert.
fn question(alert: &str) -> String {
    let rules = rules();
    let rule = rules.iter().find(|it| it["alert"] == alert);
    text(&rule.expect("the rule")["expr"])
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// All that is asked.
fn asked() -> Vec<Asked> {
    let of_rule = |rule: &Value| Asked {
        question: text(&rule["expr"]),
        legend: String::new(),
    };
    let mut all: Vec<Asked> = rules().iter().map(of_rule).collect();
    let dashboard: Value = serde_json::from_str(&file("dashboard.json")).expect("JSON");
    for panel in dashboard["panels"].as_array().expect("panels") {
        let targets = panel["targets"].as_array().expect("targets");
        all.extend(targets.iter().map(|target| Asked {
            question: text(&target["expr"]),
            legend: text(&target["legendFormat"]),
        }));
    }
    all
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

/// The labels of each line that is shown of a figure.
fn shown(figures: &str, name: &str) -> Vec<BTreeMap<String, String>> {
    let label = pattern(r#"(\w+)="((?:[^"\\]|\\.)*)""#);
    let rests = figures.lines().filter_map(|line| line.strip_prefix(name));
    rests
        .filter(|rest| rest.starts_with([' ', '{']))
        .map(|rest| {
            let labels = label.captures_iter(rest);
            let labels = labels.map(|it| (it[1].to_owned(), it[2].to_owned()));
            labels.collect()
        })
        .collect()
}

/// Whether a server shows lines of a figure with such labels as a question asks for, between its braces.
fn has_line(figures: &str, name: &str, labels: &str) -> bool {
    let condition = pattern(r#"(\w+)(=~|!~|!=|=)"([^"]*)""#);
    let conditions: Vec<(&str, &str, &str)> = condition
        .captures_iter(labels)
        .map(|found| {
            let (_, [label, how, wanted]) = found.extract();
            (label, how, wanted)
        })
        .collect();
    assert!(!conditions.is_empty(), "{name}{{{labels}}}");
    shown(figures, name).iter().any(|line| {
        conditions.iter().all(|(label, how, wanted)| {
            let value = line.get(*label).map_or("", String::as_str);
            let is_like = || pattern(&format!("^(?:{wanted})$")).is_match(value);
            match *how {
                "=" => value == *wanted,
                "!=" => value != *wanted,
                "=~" => is_like(),
                _ => !is_like(),
            }
        })
    })
}

/// All figures of a server that did something of each kind: a record was made, one could not be, something was refused.
fn figures() -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start_process(folder.path(), &WATCHED);
    let address = address_of(&server);
    let records = cities(&server, &key);
    let make = |name: &str| {
        let body = format!("{{\"Name\": \"{name}\"}}");
        server.send("POST", &key, &records, &body).status
    };
    assert_eq!(make("Goch"), 201);
    assert_eq!(server.get("", "/v1/businessareas").status, 401);
    let (data, aside) = (folder.path().join("data"), folder.path().join("aside"));
    std::fs::rename(&data, &aside).expect("moved");
    assert_eq!(make("Kleve"), 500);
    std::fs::rename(&aside, &data).expect("put back");
    let figures = scrape(&address);
    server.stop();
    figures
}

#[test]
fn every_figure_and_label_that_the_alerts_and_the_dashboard_ask_for_is_shown() {
    let figures = figures();
    let name = pattern(r"\b(?:fieldstone|process)_[a-z_]+");
    let selection = pattern(r"\b([a-z_]+)\{([^}]*)\}");
    let grouping = pattern(r"\b(?:by|without) \(([^)]*)\)");
    let in_legend = pattern(r"\{\{(\w+)\}\}");
    let (mut names, mut selected) = (BTreeSet::new(), 0);
    for Asked { question, legend } in asked() {
        let own: Vec<&str> = name.find_iter(&question).map(|it| it.as_str()).collect();
        let lines: Vec<_> = own.iter().flat_map(|it| shown(&figures, it)).collect();
        for name in own {
            // there are none as long as no backup was made, and this server has no certificate and no database
            let of_others = [
                "fieldstone_backup_last",
                "fieldstone_tls_",
                "fieldstone_database_",
                "fieldstone_clock_",
            ];
            let is_of_others = of_others.iter().any(|it| name.starts_with(it));
            assert!(
                is_of_others || !shown(&figures, name).is_empty(),
                "{name} is not shown: {figures}"
            );
            names.insert(name.to_owned());
        }
        let grouped = grouping.captures_iter(&question);
        let grouped =
            grouped.flat_map(|it| it[1].split(", ").map(str::to_owned).collect::<Vec<_>>());
        let named = in_legend.captures_iter(&legend).map(|it| it[1].to_owned());
        for label in grouped.chain(named) {
            let has_it = lines.iter().any(|line| line.contains_key(&label));
            assert!(has_it, "{label} of {question} is not shown: {figures}");
        }
        for found in selection.captures_iter(&question) {
            let (whole, [name, labels]) = found.extract();
            // whether a server answers, who asks tells
            if name != "up" {
                selected += 1;
                let is_shown = has_line(&figures, name, labels);
                assert!(is_shown, "{whole} is not shown: {figures}");
            }
        }
    }
    assert!(names.len() > 10 && selected > 1, "{names:?}");
}

#[test]
fn an_index_that_does_not_keep_up_is_told_before_writes_wait_for_it() {
    let of_lag = question("FieldstoneIndexBehind");
    let bound = of_lag.strip_prefix("fieldstone_index_lag_entries > ");
    let bound: u64 = bound.expect("a bound").parse().expect("a number");
    let held = service::Settings::default().index_pace.behind_max;
    assert!(bound < held, "{bound} is not below {held}");
    // how few there are that it lacks, on a store with few writes, says nothing where it can't be written
    let of_failure = question("FieldstoneIndexFailed");
    assert_eq!(of_failure, "fieldstone_index_failed == 1");
}

#[test]
fn the_alert_of_a_server_that_is_away_asks_for_the_job_by_which_the_page_has_it_watched() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operations.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let (_, block) = page.split_once("```yaml\nscrape_configs:").expect("a job");
    let (block, _) = block.split_once("```").expect("its end");
    let asked: Value = serde_saphyr::from_str(&format!("scrape_configs:{block}")).expect("YAML");
    let job = asked["scrape_configs"][0]["job_name"].as_str();
    let job = job.expect("a name");
    let asked = question("FieldstoneDown");
    assert_eq!(asked, format!("up{{job=\"{job}\"}} == 0"));
}
