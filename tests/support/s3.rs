//! S3-compatible storage for tests: the real protocol with its signatures, over a folder. One may be at fault, as real ones
//! are.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, StatusCode};
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

/// What a storage does that it should not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It changes one bit of each object once that is there.
    SpoilsObjects,
    /// It knows no request by which several objects are removed.
    NoBulkDelete,
    /// It lets nobody remove anything.
    NoDelete,
}

/// A running storage. It ends with the test.
pub(crate) struct Storage {
    address: SocketAddr,
    folder: PathBuf,
    _runtime: tokio::runtime::Runtime,
}

impl Storage {
    /// A storage over a folder, with an empty bucket.
    pub(crate) fn start(folder: &Path) -> Self {
        Self::begin(folder, None)
    }

    /// The same, with a fault.
    pub(crate) fn with_fault(folder: &Path, fault: Fault) -> Self {
        Self::begin(folder, Some(fault))
    }

    fn begin(folder: &Path, fault: Option<Fault>) -> Self {
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
        let objects = folder.to_owned();
        let app = axum::Router::new().fallback(move |request: Request| {
            let (service, objects) = (service.clone(), objects.clone());
            async move { answer(service, &objects, fault, request).await }
        });
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

async fn answer(
    service: S3Service,
    objects: &Path,
    fault: Option<Fault>,
    request: Request,
) -> Response {
    if fault.is_some_and(|fault| refuses(fault, &request)) {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let is_write = request.method() == Method::PUT;
    let object = objects.join(request.uri().path().trim_start_matches('/'));
    let request = request.map(s3s::Body::http_body_unsync);
    let Ok(response) = service.call(request).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if fault == Some(Fault::SpoilsObjects) && is_write && response.status().is_success() {
        spoil(&object);
    }
    response.map(Body::new)
}

/// Whether a fault refuses a request.
fn refuses(fault: Fault, request: &Request) -> bool {
    let is_bulk_delete =
        request.method() == Method::POST && request.uri().query().is_some_and(|it| it == "delete");
    match fault {
        Fault::SpoilsObjects => false,
        Fault::NoBulkDelete => is_bulk_delete,
        Fault::NoDelete => is_bulk_delete || request.method() == Method::DELETE,
    }
}

/// Changes a bit in the middle of an object.
fn spoil(object: &Path) {
    let mut bytes = std::fs::read(object).expect("the object");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(object, bytes).expect("written");
}
