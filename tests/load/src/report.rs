//! The table.

use crate::drive::Round;
use crate::scenario::Scenario;
use std::time::Duration;

/// From which share of a core on a side is at work all the time.
const BUSY: f64 = 0.85;

/// A scenario's medians: of the service, of the bare server, and the service's memory afterwards.
pub(crate) struct Line {
    pub(crate) scenario: Scenario,
    pub(crate) service: Round,
    pub(crate) bare: Round,
    pub(crate) memory: u64,
}

pub(crate) fn table(lines: &[Line]) {
    println!(
        "| what | server | requests/s | of bare | of bare by CPU | p50 ms | p99 ms | server CPU µs/request | server busy | client busy | memory MiB |"
    );
    println!("| - | - | -: | -: | -: | -: | -: | -: | -: | -: | -: |");
    for line in lines {
        let what = line.scenario.name();
        let share = format!("{:.2}", line.service.rate / line.bare.rate);
        let memory = (line.memory >> 20).to_string();
        // what the rates would come to if nothing but the server's processor time counted
        let by_cpu = format!("{:.2}", line.bare.cpu / line.service.cpu);
        row(
            what,
            "fieldstone",
            &line.service,
            [&share, &by_cpu, &memory],
        );
        row(what, "bare axum", &line.bare, [""; 3]);
    }
    for line in lines.iter().filter(|line| line.scenario.writes()) {
        println!(
            "\n{}: the search index had caught up {:.2} s after the last answer; that time counts.",
            line.scenario.name(),
            line.service.behind
        );
    }
    let idle = |round: &Round| round.server_busy < BUSY && round.client_busy < BUSY;
    let idle = lines
        .iter()
        .filter(|line| !line.scenario.writes() && (idle(&line.service) || idle(&line.bare)));
    for line in idle {
        println!(
            "\n{}: neither side had its core to itself, so the rates are the machine's; trust the processor times only.",
            line.scenario.name()
        );
    }
}

fn row(what: &str, server: &str, round: &Round, [share, by_cpu, memory]: [&str; 3]) {
    let Round {
        rate,
        p50,
        p99,
        cpu,
        server_busy,
        client_busy,
        ..
    } = round;
    println!(
        "| {what} | {server} | {rate:.0} | {share} | {by_cpu} | {p50:.2} | {p99:.2} | {cpu:.1} | {server_busy:.2} | {client_busy:.2} | {memory} |"
    );
}

/// What the disk takes, below the table.
pub(crate) fn disk(sorted: &[Duration]) {
    let at = |percent: usize| {
        let index = sorted.len() * percent / 100;
        let time = sorted.get(index).copied().unwrap_or_default();
        time.as_secs_f64() * 1e6
    };
    println!(
        "\nAppending 4 KiB and fdatasync in the same folder: p50 {:.0} µs, p99 {:.0} µs.",
        at(50),
        at(99)
    );
}
