//! The example programs, run.

use crate::watched_server::WatchedServer;

#[allow(dead_code, reason = "a program of its own")]
#[path = "../../runtime/examples/client.rs"]
mod client;
#[allow(dead_code, reason = "a program of its own")]
#[path = "../../runtime/examples/embedded_store.rs"]
mod embedded_store;
#[allow(dead_code, reason = "a program of its own")]
#[path = "../../runtime/examples/own_axum_app.rs"]
mod own_axum_app;
#[allow(dead_code, reason = "a program of its own")]
#[path = "../../runtime/examples/registered_types.rs"]
mod registered_types;

#[tokio::test]
async fn the_client_works_with_a_service() {
    let server = WatchedServer::start().await;
    let inside = server
        .embedded
        .register::<client::City>("Places", "Towns")
        .await
        .unwrap();
    let towns = server
        .client()
        .dataset::<client::City>("Places", "City", "Towns")
        .await
        .unwrap();
    let told = client::run(&towns).await.unwrap();
    assert_eq!(
        told,
        [
            "Riga has version Some(1)",
            "Riga: Some(605273)",
            "someone was faster"
        ]
    );
    assert!(inside.list().collect().await.unwrap().is_empty());
}

#[tokio::test]
#[cfg_attr(on_a_database, ignore = "what is embedded is in a folder")]
async fn the_embedded_store_keeps_its_readings() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(embedded_store::run(folder.path()).await.unwrap(), (1, 12.5));
    assert_eq!(embedded_store::run(folder.path()).await.unwrap(), (2, 25.0));
}

#[tokio::test]
#[cfg_attr(on_a_database, ignore = "what is embedded is in a folder")]
async fn registered_types_tell_where_they_drifted_apart() {
    let folder = tempfile::tempdir().unwrap();
    let told = registered_types::run(folder.path()).await.unwrap();
    assert_eq!(
        told,
        [
            "field \"Title\": max is 200 in the schema and 20 in the type",
            "the schema requires a field \"State\", which the type does not have",
        ]
    );
}

#[tokio::test]
#[cfg_attr(on_a_database, ignore = "what is embedded is in a folder")]
async fn an_app_of_ones_own_serves_both() {
    use own_axum_app::{Article, app, new_key};
    use runtime::client::{Client, Credential};

    let folder = tempfile::tempdir().unwrap();
    let embedded = runtime::embed::Embedded::open(folder.path(), "Shop")
        .await
        .unwrap();
    let app = app(&embedded).await.unwrap();
    let key = new_key(&embedded, "test").await.unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });

    let client = Client::new(&format!("http://{address}"), Credential::api_key(key)).unwrap();
    let articles = client
        .dataset::<Article>("Shop", "Article", "Articles")
        .await
        .unwrap();
    let article = Article {
        number: "A1".to_owned(),
        price: runtime::Decimal::new(250, 2),
    };
    articles.create(&article).await.unwrap();
    assert_eq!(
        get(address, "/price/A1").await,
        (200, "A1 costs 2.5".to_owned())
    );
    assert_eq!(get(address, "/price/A2").await.0, 404);
    assert_eq!(get(address, "/v1/my/businessareas").await.0, 401);
}

/// A plain request, as a browser would send it.
async fn get(address: std::net::SocketAddr, path: &str) -> (u16, String) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let body = answer
        .split_once("\r\n\r\n")
        .map(|(_, body)| body.to_owned());
    (status, body.unwrap_or_default())
}
