//! S3-compatible storage for tests: the real protocol with its signatures, over a folder.

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The one bucket there is.
pub(crate) const BUCKET: &str = "attic";
/// The id of the one access key.
pub(crate) const ACCESS_KEY_ID: &str = "AKIAFIELDSTONE";
/// The access key.
pub(crate) const SECRET_ACCESS_KEY: &str = "a-secret-that-only-tests-know";

/// A running storage. It ends with the test.
pub(crate) struct Storage {
    address: SocketAddr,
    folder: PathBuf,
    _runtime: tokio::runtime::Runtime,
}

impl Storage {
    /// A storage over a folder, with an empty bucket.
    pub(crate) fn start(folder: &Path) -> Self {
        std::fs::create_dir_all(folder.join(BUCKET)).expect("a bucket");
        let files = s3s_fs::FileSystem::new(folder).expect("a folder");
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        let service = service.build();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.expect("a port");
        let address = listener.local_addr().expect("an address");
        let app = axum::Router::new().fallback(move |request| answer(service.clone(), request));
        runtime.spawn(async move { axum::serve(listener, app).await });
        Storage {
            address,
            folder: folder.to_owned(),
            _runtime: runtime,
        }
    }

    /// Its address.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where the objects of the bucket are.
    pub(crate) fn bucket(&self) -> PathBuf {
        self.folder.join(BUCKET)
    }

    /// The parts of uploads that did not end.
    pub(crate) fn open_parts(&self) -> usize {
        let entries = std::fs::read_dir(&self.folder).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names
            .filter(|name| name.to_string_lossy().contains("upload_id"))
            .count()
    }
}

async fn answer(service: S3Service, request: Request) -> Response {
    let request = request.map(s3s::Body::http_body_unsync);
    match service.call(request).await {
        Ok(response) => response.map(Body::new),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
