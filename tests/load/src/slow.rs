//! Clients that send half a request and hold on to the rest: opened before a round, and watched until the
//! server cuts them. None of them ever finishes what it began.

use crate::records::record;
use crate::target::Target;
use anyhow::{Context as _, ensure};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// How long one may stay beyond its time before the run gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Of what they send half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Head,
    Body,
}

/// How many there are, and what time the server gives them.
#[derive(Clone, Copy)]
pub(crate) struct Crowd {
    pub(crate) count: u64,
    pub(crate) time: Duration,
}

/// Slow clients that are connected.
pub(crate) struct Slow {
    crowd: Crowd,
    holding: JoinSet<anyhow::Result<Duration>>,
}

impl Slow {
    pub(crate) async fn open(target: &Target, half: Half, crowd: Crowd) -> anyhow::Result<Self> {
        let sent = half_of_request(target, half)?;
        let mut holding = JoinSet::new();
        for _ in 0..crowd.count {
            let mut stream = TcpStream::connect(target.running.address).await?;
            // the hand-shake is the system's: a lost packet of it costs a second, and no server saw it
            let began = Instant::now();
            stream.write_all(&sent).await?;
            holding.spawn(until_cut(stream, began));
        }
        Ok(Slow { crowd, holding })
    }

    /// How long after its connecting each was cut. All of them must have held until now.
    pub(crate) async fn cut(mut self) -> anyhow::Result<Vec<Duration>> {
        ensure!(
            self.holding.try_join_next().is_none(),
            "slow clients were cut before the round beside them was over"
        );
        let mut times = Vec::new();
        let all = async {
            while let Some(ended) = self.holding.join_next().await {
                times.push(ended??);
            }
            anyhow::Ok(())
        };
        let ended = tokio::time::timeout(self.crowd.time + PATIENCE, all).await;
        ended.context("slow clients are not cut at all")??;
        Ok(times)
    }
}

fn half_of_request(target: &Target, half: Half) -> anyhow::Result<Vec<u8>> {
    let body = serde_json::to_string(&record(0))?;
    let mut sent = target.request("POST", &target.path, Some(&body));
    let head = sent.len() - body.len();
    sent.truncate(match half {
        Half::Head => head / 2,
        Half::Body => head + body.len() / 2,
    });
    Ok(sent)
}

async fn until_cut(mut stream: TcpStream, began: Instant) -> anyhow::Result<Duration> {
    let mut said = Vec::new();
    // the end, whether in peace or not
    while let Ok(1..) = stream.read_buf(&mut said).await {}
    let text = String::from_utf8_lossy(&said);
    ensure!(
        text.is_empty() || text.starts_with("HTTP/1.1 408"),
        "half a request is answered: {text:.100}"
    );
    Ok(began.elapsed())
}
