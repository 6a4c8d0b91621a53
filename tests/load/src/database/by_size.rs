//! Reads by primary key of a large database beside those of a small one: the service's, and those of `pgbench`, which tell what
//! of the difference is the database's own.

use super::{Options, Place, filled, pgbench, told};
use crate::digits::grouped;
use crate::drive::{self, Round};
use crate::ground::{Ground, service, stop};
use crate::report::Report;
use crate::scenario::Scenario;
use anyhow::anyhow;

pub(super) async fn measure(
    place: &Place,
    ground: &Ground,
    options: Options,
    report: &mut Report,
) -> anyhow::Result<()> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for (name, records) in [("many", options.many), ("few", options.few)] {
        let own = place.ground(ground, name)?;
        let seeded = filled(&own, name, records)?;
        place.run(&format!("\\connect {name}\nVACUUM ANALYZE;\nCHECKPOINT;"))?;
        let target = service(&own, name, seeded, records, 0, &[]).await?;
        let mut rounds = Vec::new();
        for number in 0..own.plan.rounds {
            rounds.push(drive::round(&target, Scenario::Get, own.plan.load, number).await?);
        }
        ours.push(drive::median(&rounds));
        stop(target)?;
        theirs.push(beside(place, &own, name)?);
    }
    let [many, few] = <[Round; 2]>::try_from(ours).map_err(|_| anyhow!("a round is missing"))?;
    let [of_many, of_few] =
        <[f64; 2]>::try_from(theirs).map_err(|_| anyhow!("a round is missing"))?;
    report.plain.push([
        format!("GET by primary key, {} records", grouped(options.many)),
        format!("ours with {} records", grouped(options.few)),
        told(many),
        told(few),
        format!("{:.2}", many.rate / few.rate),
        "≥ 0.85".to_owned(),
    ]);
    report.plain.push([
        format!("`pgbench`, point select, {} records", grouped(options.many)),
        format!("the same with {} records", grouped(options.few)),
        format!("{}/s", grouped(of_many)),
        format!("{}/s", grouped(of_few)),
        format!("{:.2}", of_many / of_few),
        "–".to_owned(),
    ]);
    Ok(())
}

/// The median rate of `pgbench` on a copy of the records whose keys it can make. The copy stands beside them: one of the whole
/// database would not fit everywhere.
fn beside(place: &Place, ground: &Ground, name: &str) -> anyhow::Result<f64> {
    let [dataset, first, last] = place.dataset(name)?;
    place.run(&format!(
        "\\connect {name}
CREATE TABLE beside (LIKE records INCLUDING ALL);
INSERT INTO beside (dataset, sequence, nonce, version, schema_version, deleted, last_change, primary_key, errors, hidden, body)
  SELECT dataset, sequence, nonce, version, schema_version, deleted, last_change,
    'P' || lpad(to_hex(sequence * 2654435761 % 4294967296), 16, '0'), errors, hidden, body FROM records;
VACUUM ANALYZE beside;
CHECKPOINT;"
    ))?;
    // keys stand in another order than rows do, as those that the service is asked for
    let script = format!(
        "\\set n random({first}, {last})
SELECT dataset, sequence, nonce, version, schema_version, body, errors, hidden, deleted FROM beside
  WHERE dataset = {dataset} AND NOT deleted
    AND primary_key = 'P' || lpad(to_hex(:n * 2654435761 % 4294967296), 16, '0');\n"
    );
    let (programs, address) = (&place.programs, place.cluster.address(name));
    let load = ground.plan.load;
    let mut rates = Vec::new();
    for _ in 0..ground.plan.rounds {
        let rate = pgbench::rate(programs, &address, &script, load.connections, load.time)?;
        rates.push(rate);
    }
    rates.sort_unstable_by(f64::total_cmp);
    Ok(rates.get(rates.len() / 2).copied().unwrap_or_default())
}
