//! The memory of bodies on their way in and of answers on their way out: each has its part of the service's
//! budget as long as it is held, and one that finds no room is refused. It knows nothing of what they say.

#[cfg(feature = "pages")]
use super::context::RequestContext;
use super::error::Failure;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use service::{MemoryBudget, Owner, Reservation};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// Bytes that a body has room for at first, when it does not come whole, and how many times as many when that is
/// not enough.
const FIRST_BYTES: usize = 16 << 10;
const STEP: usize = 4;

/// Says of an answer that its bytes are there in any case.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakesNoRoom;

/// Why a body was not read to its end.
pub(super) enum Unread {
    /// It is larger than it may be.
    TooLarge,
    /// It broke off.
    Broken,
    /// There is no room for it.
    NoRoom(Failure),
}

/// The bytes of a body, no more than so many, and their room.
pub(super) async fn read(
    mut body: Body,
    bytes_max: usize,
    announced: Option<usize>,
    mut room: Reservation,
) -> Result<(Bytes, Reservation), Unread> {
    let mut all = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Unread::Broken)?;
        let Ok(piece) = frame.into_data() else {
            continue;
        };
        let size = all.len() + piece.len();
        if size > bytes_max {
            return Err(Unread::TooLarge);
        }
        let is_whole = all.is_empty() && announced == Some(size);
        let wanted = if is_whole || size <= all.capacity() {
            size.max(all.capacity())
        } else {
            // memory that is not filled yet counts, too: it may have been filled by another body before
            let steps = all.capacity().saturating_mul(STEP).max(FIRST_BYTES);
            steps.min(announced.unwrap_or(bytes_max)).max(size)
        };
        let grown = room.grow_to(wanted);
        grown.map_err(|refusal| Unread::NoRoom(refusal.into()))?;
        if is_whole {
            // most bodies come whole
            return Ok((piece, room));
        }
        all.reserve_exact(wanted - all.len());
        all.extend_from_slice(&piece);
    }
    Ok((all.into(), room))
}

/// An answer that holds its room until it is sent; or the refusal of one for which there is none. What was done
/// is told in any case, and so is what was refused: a page that refuses a form may have all of it.
pub(super) fn held(
    budget: &Arc<MemoryBudget>,
    owner: impl FnOnce() -> Owner,
    method: &Method,
    answer: Response,
) -> Response {
    let bytes = answer.body().size_hint().exact().unwrap_or(0);
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let is_exempt = || answer.extensions().get::<TakesNoRoom>().is_some();
    if bytes <= budget.too_small_to_ask() || is_exempt() {
        return answer;
    }
    let is_read = method == Method::GET || method == Method::HEAD;
    let room = if is_read && answer.status().is_success() {
        budget.reserve(owner(), bytes)
    } else {
        Ok(budget.take(owner(), bytes))
    };
    match room {
        Ok(room) => answer.map(|body| {
            Body::new(BodyWithRoom {
                body,
                room: Some(room),
            })
        }),
        Err(refusal) => Failure::from(refusal).into_response(),
    }
}

/// The same for who makes a page of the refusal; nobody outside asks for its room a second time.
#[cfg(feature = "pages")]
pub(crate) fn held_inside(
    budget: &Arc<MemoryBudget>,
    context: &RequestContext,
    answer: Response,
) -> Response {
    let mut answer = held(budget, || context.owner(), &context.method, answer);
    answer.extensions_mut().insert(TakesNoRoom);
    answer
}

/// How many times its bytes a page takes while it is made: its text grows by as much as it has.
#[cfg(feature = "pages")]
const TIMES_WHILE_MADE: usize = 2;

/// Room for a page of so many bytes that repeats what was sent, before it is made.
///
/// # Errors
/// There is none.
#[cfg(feature = "pages")]
pub(crate) fn for_page(
    budget: &Arc<MemoryBudget>,
    context: &RequestContext,
    bytes: usize,
) -> Result<Reservation, Failure> {
    let wanted = bytes.saturating_mul(TIMES_WHILE_MADE);
    Ok(budget.reserve(context.owner(), wanted)?)
}

/// A body of one piece that is in memory, with its room.
struct BodyWithRoom {
    body: Body,
    room: Option<Reservation>,
}

impl HttpBody for BodyWithRoom {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let room = &mut self.room;
        let with_room = |bytes| match room.take() {
            Some(room) => room.attach(bytes),
            None => bytes,
        };
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(with_room))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;

    #[test]
    fn a_large_answer_has_its_room_until_it_is_sent_also_where_it_refuses() {
        let budget = MemoryBudget::new(64 << 20);
        for status in [StatusCode::OK, StatusCode::FORBIDDEN] {
            let mut answer = Response::new(Body::from(vec![b'x'; 1 << 20]));
            *answer.status_mut() = status;
            let answer = held(&budget, Owner::default, &Method::POST, answer);
            assert_eq!((answer.status(), budget.taken()), (status, 1 << 20));
            drop(answer);
            assert_eq!(budget.taken(), 0);
        }
    }

    #[test]
    fn a_refusal_is_told_where_there_is_no_room_for_it() {
        let budget = MemoryBudget::new(1 << 20);
        let mut answer = Response::new(Body::from(vec![b'x'; 1 << 20]));
        *answer.status_mut() = StatusCode::FORBIDDEN;
        let answer = held(&budget, Owner::default, &Method::GET, answer);
        assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    }
}
