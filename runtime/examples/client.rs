//! A program that works with a service's records as a Rust type. It expects a dataset of cities:
//!
//! `FIELDSTONE_API_KEY=… cargo run -p runtime --features client --example client -- http://127.0.0.1:8080 Places City Cities`

use runtime::client::{Client, ClientError, Credential, Dataset};
use runtime::{Record, Typed};

/// Where people live.
#[derive(Clone, PartialEq, Record)]
pub(crate) struct City {
    #[field(name = "Name", primary_key, max = 80)]
    pub(crate) name: String,
    #[field(name = "Population", min = 0)]
    pub(crate) population: Option<i64>,
    #[field(name = "Twin Cities")]
    pub(crate) twins: Vec<String>,
}

/// Makes a city, changes it, lists all, and deletes it again.
pub(crate) async fn run(cities: &Dataset<City>) -> Result<Vec<String>, ClientError> {
    let riga = City {
        name: "Riga".to_owned(),
        population: None,
        twins: vec!["Bremen".to_owned()],
    };
    let made = cities.create(&riga).await?;
    // someone else may write it at the same moment: the change is made again on what they wrote
    let changed = cities
        .change("Riga", |city| city.population = Some(605_273))
        .await?;
    let mut told = vec![format!("Riga has version {changed:?}")];

    let mut all = cities.list();
    while let Some(stored) = all.next().await {
        match stored?.record {
            Typed::Clean(city) => told.push(format!("{}: {:?}", city.name, city.population)),
            // a record with faults is a record: it comes as it is stored, with what is wrong
            Typed::Faulty { errors, .. } => told.push(format!("{} faults", errors.len())),
        }
    }

    // the version this program saw first is stale by now
    match cities.update(&made.id, made.version, &riga).await {
        Err(error) if error.is_version_conflict() => {
            told.push("someone was faster".to_owned());
        }
        other => told.push(format!("{other:?}")),
    }
    cities.delete(&made.id).await?;
    Ok(told)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what| arguments.next().ok_or(format!("{what} is missing"));
    let (url, area) = (next("the base address")?, next("the area")?);
    let (schema, dataset) = (next("the schema")?, next("the dataset")?);
    let client = Client::new(
        &url,
        Credential::api_key(std::env::var("FIELDSTONE_API_KEY")?),
    )?;
    let cities = client.dataset::<City>(&area, &schema, &dataset).await?;
    for line in run(&cities).await? {
        println!("{line}");
    }
    Ok(())
}
