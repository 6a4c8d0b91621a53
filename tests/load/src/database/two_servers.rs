//! Two servers on one database, beside one of them alone. All may use both cores, as servers do that nobody binds: so both ways
//! have the same to work with, and the ratio is what a second server, which a machine has so that one may be missed, costs or
//! gives there. Were both on the core that one has for itself, it would be what two processes lose on half of it. Were each on
//! one, the second would have that of the client, and the ratio would tell how much of it the client leaves.

use super::told;
use crate::digits::grouped;
use crate::drive::{self, Load, Round};
use crate::ground::{Ground, service, stop};
use crate::scenario::Scenario;
use crate::seed::Seeded;

/// The row of reads by primary key, asked of one and of both in turns: of each the median.
pub(super) async fn measure(ground: &Ground, seeded: Seeded) -> anyhow::Result<[String; 6]> {
    let own = Ground {
        cores: ground.cores.shared(),
        ..ground.clone()
    };
    std::fs::create_dir(own.folder.join("other"))?;
    let one = service(&own, "one", seeded.clone(), own.records, 0, &[]).await?;
    let other = service(&own, "other", seeded, own.records, 0, &[]).await?;
    let whole = own.plan.load;
    let half = Load {
        connections: (whole.connections / 2).max(1),
        ..whole
    };
    let (mut alone, mut both) = (Vec::new(), Vec::new());
    for number in 0..own.plan.rounds {
        let [seed, first_seed, second_seed] = [0, 1, 2].map(|of| number * 3 + of);
        let is_alone_first = number.is_multiple_of(2);
        for is_alone in [is_alone_first, !is_alone_first] {
            if is_alone {
                alone.push(drive::round(&one, Scenario::Get, whole, seed).await?);
                continue;
            }
            let (first, second) = tokio::try_join!(
                drive::round(&one, Scenario::Get, half, first_seed),
                drive::round(&other, Scenario::Get, half, second_seed)
            )?;
            both.push(Round {
                rate: first.rate + second.rate,
                ..Round::default()
            });
        }
    }
    stop(other)?;
    stop(one)?;
    let (both, alone) = (drive::median(&both), drive::median(&alone));
    Ok([
        "GET by primary key through two servers".to_owned(),
        "one server".to_owned(),
        format!("{}/s", grouped(both.rate)),
        told(alone),
        format!("{:.2}", both.rate / alone.rate),
        "–".to_owned(),
    ])
}
