//! What an operator can set about traces.

use crate::traces::Traces;
use crate::web_address;
use clap::Args;

#[derive(Args)]
#[command(next_help_heading = "Settings of traces")]
pub(crate) struct TraceOptions {
    /// A collector to which traces of requests are sent, by OTLP over HTTP, such as `http://127.0.0.1:4318`; without
    /// it, none are made
    #[arg(
        long = "traces-to",
        id = "traces-to",
        env = "FIELDSTONE_TRACES_TO",
        value_name = "URL",
        value_parser = web_address::base
    )]
    collector: Option<String>,

    /// Of a hundred requests that come without a trace, how many begin one; a request that comes with a trace decides
    /// by itself
    #[arg(
        long = "traces-percent",
        id = "traces-percent",
        env = "FIELDSTONE_TRACES_PERCENT",
        value_name = "NUMBER",
        default_value_t = 100,
        value_parser = clap::value_parser!(u8).range(0..=100)
    )]
    percent: u8,
}

impl TraceOptions {
    /// Where they go; `None` for nowhere.
    pub(crate) fn traces(&self) -> Option<Traces> {
        self.collector.clone().map(|collector| Traces {
            collector,
            percent: self.percent,
        })
    }
}
