//! Files through a handle: up, into a record, and down again by its link.

use crate::watched_server::{FILE_BYTES_MAX, Instead, WatchedServer};
use runtime::client::{
    Bytes, Cause, Client, ClientError, Content, Credential, Dataset, DatasetPath,
};
use runtime::{FileRef, Record};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A record with files.
#[derive(Clone, PartialEq, Record)]
struct Exhibit {
    #[field(name = "No", primary_key)]
    number: String,
    #[field(name = "Photo", type = "image", max_width = 40)]
    photo: Option<FileRef>,
    #[field(name = "Papers", type = "document")]
    papers: Vec<FileRef>,
}

/// The beginning of a PNG, ten pixels wide.
fn png() -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x0a\0\0\0\x05\x08\x06\0\0\0".to_vec();
    png.resize(200, 0);
    png
}

/// The dataset over HTTP and in process.
async fn exhibits(server: &WatchedServer) -> [Dataset<Exhibit>; 2] {
    let inside = server.embedded.register::<Exhibit>("Places", "Hall").await;
    let inside = inside.expect("it fits");
    [server.client().dataset_at(inside.path().clone()), inside]
}

/// A stream of these pieces.
struct Pieces(Vec<Result<Bytes, &'static str>>);

impl futures_core::Stream for Pieces {
    type Item = Result<Bytes, &'static str>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready((!self.0.is_empty()).then(|| self.0.remove(0)))
    }
}

#[tokio::test]
async fn a_file_goes_up_into_a_record_and_comes_back_by_its_link() {
    let server = WatchedServer::start().await;
    for (n, exhibits) in exhibits(&server).await.iter().enumerate() {
        let photo = exhibits.upload("Gr\u{fc}\u{df}e \"1\".png", "image/gif", png());
        let photo = photo.await.unwrap();
        assert_eq!(
            (photo.media_type.as_str(), photo.width),
            ("image/png", Some(10))
        );
        assert!(photo.name.starts_with("Gr\u{fc}\u{df}e "), "{}", photo.name);
        let paper = exhibits.upload("paper.txt", "", "a text").await.unwrap();
        let exhibit = Exhibit {
            number: n.to_string(),
            photo: Some(photo.reference()),
            papers: vec![paper.reference()],
        };
        let made = exhibits.create(&exhibit).await.unwrap();
        assert!(made.record.clean().is_some());

        let read = exhibits.get(&exhibit.number).await.unwrap().unwrap();
        let read = read.record.clean().unwrap();
        let found = exhibits
            .download(read.photo.as_ref().unwrap())
            .await
            .unwrap();
        assert_eq!(found.media_type.as_deref(), Some("image/png"));
        assert_eq!(found.size, Some(200));
        assert_eq!(found.bytes().await.unwrap(), png());
        let paper = exhibits.download(&read.papers[0]).await.unwrap();
        assert_eq!(paper.bytes().await.unwrap(), b"a text");
        // a record is written back with the links it showed
        exhibits.update(&made.id, 0, &read).await.unwrap();
        let again = exhibits.get(&exhibit.number).await.unwrap().unwrap();
        assert!(again.record.clean().is_some());
    }
}

#[tokio::test]
async fn a_stream_is_uploaded_and_downloaded_piece_by_piece() {
    let server = WatchedServer::start().await;
    for exhibits in exhibits(&server).await {
        let pieces = (0..120_u8).map(|n| Ok(Bytes::from(vec![n; 100_000])));
        let content = Content::stream(Pieces(pieces.collect()));
        let item = exhibits.upload("big", "", content).await.unwrap();
        assert_eq!(item.size, 12_000_000);
        let mut coming = exhibits.download(&FileRef::new(&item.url)).await.unwrap();
        let mut length = 0;
        while let Some(piece) = coming.next().await {
            for byte in piece.unwrap() {
                assert_eq!(usize::from(byte), length / 100_000);
                length += 1;
            }
        }
        assert_eq!(length, 12_000_000);
    }
}

#[tokio::test]
async fn what_goes_wrong_has_its_own_name() {
    let server = WatchedServer::start().await;
    for exhibits in exhibits(&server).await {
        let item = exhibits.upload("x", "", "abc").await.unwrap();
        let no_link = exhibits.download(&item.reference()).await.unwrap_err();
        assert!(matches!(no_link, ClientError::NoLink), "{no_link}");
        let forged = FileRef::new(item.url.replace("expires=", "expires=9"));
        let refused = exhibits.download(&forged).await.unwrap_err();
        assert_eq!(refused.cause(), Some(Cause::LinkRefused), "{refused}");

        let broken = Pieces(vec![Ok(Bytes::from("abc")), Err("the disk is gone")]);
        let error = exhibits.upload("x", "", Content::stream(broken)).await;
        let error = error.unwrap_err();
        let ClientError::Content(source) = &error else {
            panic!("{error}");
        };
        assert_eq!(source.to_string(), "the disk is gone");

        let empty = exhibits.upload("x", "", "").await.unwrap_err();
        assert_eq!(empty.cause(), Some(Cause::Other), "{empty}");
        let large = vec![1; usize::try_from(FILE_BYTES_MAX).unwrap() + 1];
        let error = exhibits.upload("x", "", large).await.unwrap_err();
        assert_eq!(error.cause(), Some(Cause::TooLarge), "{error}");

        let nowhere = DatasetPath {
            dataset: "none".to_owned(),
            ..exhibits.path().clone()
        };
        let nowhere = exhibits.raw().client().records_at(nowhere);
        let error = nowhere.upload("x", "", "abc").await.unwrap_err();
        assert_eq!(error.cause(), Some(Cause::NotFound), "{error}");
    }
    let [over_http, _] = exhibits(&server).await;
    let wrong = over_http.upload("x", "text/plain\r\nX: y", "abc").await;
    assert!(matches!(wrong.unwrap_err(), ClientError::Request(_)));
    let small = server.builder().answer_bytes_max(600).build().unwrap();
    let small = small.dataset_at::<Exhibit>(over_http.path().clone());
    let item = small.upload("x", "", vec![1; 601]).await.unwrap();
    let found = small.download(&FileRef::new(&item.url)).await.unwrap();
    let error = found.bytes().await.unwrap_err();
    assert!(
        matches!(error, ClientError::TooLong { limit: 600 }),
        "{error}"
    );
}

#[tokio::test]
async fn bytes_are_sent_again_and_a_stream_is_not() {
    let server = WatchedServer::start().await;
    let [exhibits, _] = exhibits(&server).await;
    let busy = Instead {
        status: 503,
        body: r#"{"message":"busy"}"#,
        after: false,
    };
    server.instead("POST", "/files", busy);
    exhibits.upload("x", "", "abc").await.unwrap();
    server.instead("POST", "/files", busy);
    let once = || Content::stream(Pieces(vec![Ok(Bytes::from("abc"))]));
    let error = exhibits.upload("x", "", once()).await.unwrap_err();
    assert_eq!(error.cause(), Some(Cause::Service));
    assert_eq!(server.statuses("POST", "/files"), [503, 201, 503]);

    // a token that died early: bytes get through, a stream does not come back as an empty file
    let app = server.app(3600).await;
    let client = Client::new(&server.url, Credential::client(&app.noun.id, &app.secret)).unwrap();
    let exhibits = client.dataset_at::<Exhibit>(exhibits.path().clone());
    exhibits.upload("x", "", once()).await.unwrap();
    let (service, caller) = (server.embedded.service(), server.embedded.caller().unwrap());
    let restart = async || {
        for active in [false, true] {
            let set = service.apps().set_active(&caller, &app.noun.id, active);
            set.await.unwrap();
        }
    };
    restart().await;
    exhibits.upload("x", "", "abc").await.unwrap();
    restart().await;
    let error = exhibits.upload("x", "", once()).await.unwrap_err();
    assert_eq!(error.cause(), Some(Cause::Unauthenticated), "{error}");
    // the next one has a new token
    exhibits.upload("x", "", once()).await.unwrap();
}

/// Answers the first request to a listener with `answer`, and then neither ends the answer nor the connection.
/// Gives the head of the request.
fn stall_after(listener: TcpListener, answer: &'static str) -> oneshot::Receiver<String> {
    let (sender, head_of_request) = oneshot::channel();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = vec![0; 4096];
        let length = stream.read(&mut head).await.unwrap();
        stream.write_all(answer.as_bytes()).await.unwrap();
        // not every test looks at it
        let _ = sender.send(String::from_utf8_lossy(&head[..length]).into_owned());
        std::future::pending::<()>().await;
    });
    head_of_request
}

#[tokio::test]
async fn a_link_is_followed_at_the_own_service_and_without_the_credential() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/deep", listener.local_addr().unwrap());
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc";
    let head = stall_after(listener, answer);
    let builder = runtime::client::ClientBuilder::new(&url, Credential::api_key("geheim"));
    let builder = builder.timeout(Duration::from_secs(2)).attempts(1);
    let client = builder.build().unwrap();
    let elsewhere = "https://evil.example/v1/files/0-a?dataset=d&expires=1&signature=s";
    let mut found = client.download(&FileRef::new(elsewhere)).await.unwrap();
    assert_eq!(found.next().await.unwrap().unwrap(), "abc");
    // the rest does not come, and that is no end
    let error = found.next().await.unwrap().unwrap_err();
    assert!(matches!(error, ClientError::Network { .. }), "{error}");
    assert!(found.next().await.is_none());
    let head = head.await.unwrap();
    assert!(head.starts_with("GET /deep/v1/files/0-a?dataset=d&expires=1&signature=s HTTP"));
    assert!(!head.contains("geheim"), "{head}");
    for wrong in [
        "https://h.example/v1/files/../admin?x",
        "https://h.example/v1/files/a/b?x",
        "https://h.example/v1/files/?x",
        "https://h.example/x",
        "",
    ] {
        let error = client.download(&FileRef::new(wrong)).await.unwrap_err();
        assert!(matches!(error, ClientError::NoLink), "{wrong}: {error}");
    }
}

#[tokio::test]
async fn an_upload_that_stands_still_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let _head = stall_after(listener, "");
    let builder = runtime::client::ClientBuilder::new(&url, Credential::api_key("k"));
    let builder = builder.timeout(Duration::from_secs(2)).attempts(1);
    let path = DatasetPath {
        area: "a".to_owned(),
        schema: "s".to_owned(),
        dataset: "d".to_owned(),
    };
    let dataset = builder.build().unwrap().records_at(path);
    let error = dataset
        .upload("x", "", vec![1; 30 << 20])
        .await
        .unwrap_err();
    assert!(
        matches!(error, ClientError::Network { sent: true, .. }),
        "{error:?}"
    );
}
