//! A form that brings a file along. What stands before the file is read, and the session's token looked for in it; the
//! file is read by the handler as it comes, and only a small one is held as a whole.

use super::filled_in::FilledIn;
use super::numbers::grouped;
use super::texts::{Texts, filled};
use super::visit::{Form, Site, Visit, is_sent_by_page, proven};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::files::{FILE_PART, FileForm, file_name, unusable};
use crate::http::path::FromPath;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::Response;
use axum::response::IntoResponse as _;
use service::Reservation;
use std::sync::Arc;

/// What may stand before the file.
const TEXT_PARTS_MAX: usize = 200;
/// Bytes of them in all.
const TEXT_BYTES_MAX: usize = 64 << 10;
/// Bytes of the file of a refused form that are taken, and thrown away.
const THROWN_AWAY_MAX: usize = 64 << 20;

/// A form of ours with a file.
pub(super) struct Sending<P = ()> {
    pub(super) visit: Visit<P>,
    pub(super) form: Form,
    /// What the file is called; empty where none was chosen.
    pub(super) file_name: String,
    file: multer::Field<'static>,
    parts: FileForm,
}

impl<P: FromPath> FromRequest<Arc<Site>> for Sending<P> {
    type Rejection = Response<Body>;

    async fn from_request(request: Request, site: &Arc<Site>) -> Result<Self, Response<Body>> {
        let filled_in = request.extensions().get::<FilledIn>().cloned();
        let filled_in = filled_in.unwrap_or_default();
        let call = Call::<P>::from_request(request, &site.service).await?;
        let (visit, body) = Visit::of(call, site);
        let bytes_max = site.service.settings().jobs.upload_bytes_max;
        let parts = FileForm::up_to(bytes_max, &site.service, body);
        let sending = async { begun(visit, parts?, &filled_in).await };
        sending.await.map_err(Failure::into_response)
    }
}

/// A small file in memory, which it has room in until it goes.
pub(super) struct SmallFile {
    pub(super) bytes: Vec<u8>,
    pub(super) _room: Reservation,
}

/// What stands before the file, and the file itself.
pub(super) struct BeforeFile {
    pub(super) pairs: Vec<(String, String)>,
    pub(super) file: multer::Field<'static>,
}

impl BeforeFile {
    /// Reads what stands before the file.
    ///
    /// # Errors
    /// A form without a file, or with too much before it; one that comes too slowly or breaks off.
    pub(super) async fn of(parts: &mut FileForm) -> Result<Self, Failure> {
        let (mut pairs, mut bytes) = (Vec::new(), 0);
        loop {
            let Some(mut part) = parts.part().await? else {
                return Err(unusable("it has no file"));
            };
            let name = part.name().unwrap_or_default().to_owned();
            if name == FILE_PART {
                return Ok(BeforeFile { pairs, file: part });
            }
            let mut text = Vec::new();
            while let Some(piece) = parts.piece(&mut part).await? {
                bytes += piece.len();
                if bytes > TEXT_BYTES_MAX {
                    return Err(unusable("what stands before the file is too long"));
                }
                text.extend_from_slice(&piece);
            }
            pairs.push((name, String::from_utf8_lossy(&text).into_owned()));
            if pairs.len() > TEXT_PARTS_MAX {
                return Err(unusable("it has too many parts"));
            }
        }
    }
}

/// Takes the file of a form that is refused, and throws it away, so that the browser reads the answer.
pub(super) async fn throw_away(parts: &mut FileForm, file: &mut multer::Field<'static>) {
    let mut bytes = 0;
    while let Ok(Some(piece)) = parts.piece(file).await {
        bytes += piece.len();
        if bytes > THROWN_AWAY_MAX {
            break;
        }
    }
}

/// A form with its file, if the session's token stands before it: whoever is refused from here on gets back all but the file.
async fn begun<P>(
    visit: Visit<P>,
    mut parts: FileForm,
    filled_in: &FilledIn,
) -> Result<Sending<P>, Failure> {
    let BeforeFile { pairs, mut file } = BeforeFile::of(&mut parts).await?;
    let is_of_page = is_sent_by_page(visit.headers());
    if is_of_page {
        filled_in.note_stale_before_file(&pairs);
    }
    let form = proven(&visit, pairs);
    if is_of_page && form.is_err() {
        throw_away(&mut parts, &mut file).await;
    }
    let form = form?;
    filled_in.take_before_file(form.pairs());
    Ok(Sending {
        visit,
        form,
        file_name: file_name(&file),
        file,
        parts,
    })
}

impl<P> Sending<P> {
    /// Takes the file whole, or says what is wrong with it; `too_large` is told with how many MiB it may have.
    ///
    /// # Errors
    /// No room in memory; a file that comes too slowly or breaks off.
    pub(super) async fn whole(
        &mut self,
        bytes_max: usize,
        too_large: fn(&Texts) -> &'static str,
    ) -> Result<Result<SmallFile, String>, Failure> {
        let texts = self.visit.texts;
        if self.file_name.is_empty() {
            return Ok(Err(texts.choose_file.to_owned()));
        }
        let service = self.visit.site.service.clone();
        let owner = self.visit.caller.owner();
        let room = service.memory().reserve(owner, bytes_max)?;
        let mut bytes = Vec::new();
        while let Some(piece) = self.piece().await? {
            if bytes.len() + piece.len() > bytes_max {
                let most = grouped((bytes_max >> 20) as u64, texts);
                return Ok(Err(filled(too_large(texts), &[&most])));
            }
            bytes.extend_from_slice(&piece);
        }
        Ok(Ok(SmallFile { bytes, _room: room }))
    }

    /// The next piece of the file.
    ///
    /// # Errors
    /// A file that is too large, comes too slowly or breaks off.
    pub(super) async fn piece(&mut self) -> Result<Option<Bytes>, Failure> {
        self.parts.piece(&mut self.file).await
    }
}
