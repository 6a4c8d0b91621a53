//! A web application of one's own with the whole data interface inside it: its own routes work on the same
//! records through typed handles, without HTTP in between.
//!
//! `cargo run -p runtime --features server,embed --example own_axum_app -- /tmp/shop`

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Router, routing::get};
use runtime::client::Dataset;
use runtime::embed::Embedded;
use runtime::service::manage::{ADMINISTRATOR, NewApiKey};
use runtime::store::catalog::{Grant, Verbs};
use runtime::{Decimal, Record};
use std::net::SocketAddr;

/// Something to sell.
#[derive(Record)]
pub(crate) struct Article {
    #[field(name = "Number", primary_key, alphanumeric)]
    pub(crate) number: String,
    #[field(name = "Price", min = 0)]
    pub(crate) price: Decimal,
}

/// The application: the data interface beside a page of its own.
pub(crate) async fn app(embedded: &Embedded) -> Result<Router, Box<dyn std::error::Error>> {
    let articles = embedded.register::<Article>("Shop", "Articles").await?;
    let own = Router::new()
        .route("/price/{number}", get(price))
        .with_state(articles);
    Ok(own.merge(runtime::http::router(embedded.service().clone())))
}

async fn price(
    State(articles): State<Dataset<Article>>,
    Path(number): Path<String>,
) -> Result<String, StatusCode> {
    let found = articles.get(&number).await;
    let found = found.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let article = found.and_then(|stored| stored.record.clean());
    let article = article.ok_or(StatusCode::NOT_FOUND)?;
    Ok(format!("{} costs {}", article.number, article.price))
}

/// A key for those who use the data interface. It is shown this once.
pub(crate) async fn new_key(
    embedded: &Embedded,
    name: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    let caller = embedded.caller()?;
    let catalog = caller.catalog().clone();
    let mut roles = catalog.roles.values();
    let role = roles.find(|role| role.tenant == caller.tenant() && role.name == ADMINISTRATOR);
    let areas = catalog.areas_of(caller.tenant());
    let new = NewApiKey {
        name: name.to_owned(),
        description: String::new(),
        expires_at: None,
        ends_with_maker: false,
        active: true,
        roles: role.map(|role| role.id.clone()).into_iter().collect(),
        grants: areas
            .map(|area| Grant {
                area: area.id.clone(),
                verbs: Verbs::ALL,
            })
            .collect(),
    };
    Ok(embedded
        .service()
        .api_keys()
        .mint(&caller, new)
        .await?
        .secret)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("name a folder for the store")?;
    let embedded = Embedded::open(folder.as_ref(), "Shop").await?;
    let app = app(&embedded).await?;
    let key_name = format!("key of {}", embedded.service().now());
    println!("API key: {}", new_key(&embedded, &key_name).await?);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    // who asks is known by address, so that guesses of passwords are limited by where they come from
    let app = app.into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, app).await?;
    Ok(())
}
