//! Lists, walked page by page as a stream. It holds one page at a time.

use crate::ClientError;
use crate::loop_watch::LoopWatch;
use crate::transport::{Operation, Transport, TransportFuture};
use futures_core::Stream;
use schema::json::{Node, Value, parse};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A list that is fetched as it is read. It is a [`Stream`], and can be read without one:
/// [`next`](Self::next), [`collect`](Self::collect). After an error it ends.
#[must_use = "a list fetches nothing until it is read"]
pub struct Listing<T> {
    transport: Arc<dyn Transport>,
    operation: Operation,
    key: &'static str,
    read: fn(&str) -> Result<T, ClientError>,
    items: VecDeque<T>,
    next: NextPage,
    walk: LoopWatch,
}

/// Where the items behind those at hand come from.
enum NextPage {
    /// Not asked for yet: its `pageKey`, `None` for the first page.
    At(Option<String>),
    /// Under way.
    Fetching(Option<String>, TransportFuture<Option<String>>),
    /// There is none.
    End,
}

// nothing in it points into itself
impl<T> Unpin for Listing<T> {}

impl<T> std::fmt::Debug for Listing<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listing").finish_non_exhaustive()
    }
}

impl<T> Listing<T> {
    /// The list that an operation answers; `read` makes an item of its JSON text.
    pub(super) fn new(
        transport: Arc<dyn Transport>,
        operation: Operation,
        read: fn(&str) -> Result<T, ClientError>,
    ) -> Self {
        Listing::named("items", transport, operation, read)
    }

    /// The same for an answer whose items stand under `key`.
    pub(super) fn named(
        key: &'static str,
        transport: Arc<dyn Transport>,
        operation: Operation,
        read: fn(&str) -> Result<T, ClientError>,
    ) -> Self {
        Listing {
            transport,
            operation,
            key,
            read,
            items: VecDeque::new(),
            next: NextPage::At(None),
            walk: LoopWatch::default(),
        }
    }

    /// A list whose first page is here.
    pub(super) fn begun(mut self, page: PageText<T>) -> Self {
        if let Some(key) = &page.next {
            self.walk.goes_round(key);
        }
        self.items = page.items.into();
        self.next = page
            .next
            .map_or(NextPage::End, |key| NextPage::At(Some(key)));
        self
    }

    /// The next item; `None` at the end.
    pub async fn next(&mut self) -> Option<Result<T, ClientError>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// All that is left.
    ///
    /// # Errors
    /// The first that the walk meets.
    pub async fn collect(mut self) -> Result<Vec<T>, ClientError> {
        let mut all = Vec::new();
        while let Some(item) = self.next().await {
            all.push(item?);
        }
        Ok(all)
    }

    /// Takes in a page.
    fn take(&mut self, answer: Option<String>) -> Result<(), ClientError> {
        let wrong = |text: &str| ClientError::Answer("a list", text.to_owned());
        let text = answer.ok_or_else(|| wrong("it has no body"))?;
        let page = PageText::read(&text, self.key, self.read)?;
        if page
            .next
            .as_deref()
            .is_some_and(|key| self.walk.goes_round(key))
        {
            return Err(wrong("its `nextPageKey` leads to the same page again"));
        }
        self.items = page.items.into();
        self.next = page
            .next
            .map_or(NextPage::End, |key| NextPage::At(Some(key)));
        Ok(())
    }
}

impl<T> Stream for Listing<T> {
    type Item = Result<T, ClientError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let list = self.get_mut();
        loop {
            if let Some(item) = list.items.pop_front() {
                return Poll::Ready(Some(Ok(item)));
            }
            match std::mem::replace(&mut list.next, NextPage::End) {
                NextPage::End => return Poll::Ready(None),
                NextPage::At(key) => {
                    let answer = list
                        .transport
                        .clone()
                        .run(list.operation.clone(), key.clone());
                    list.next = NextPage::Fetching(key, answer);
                }
                NextPage::Fetching(key, mut future) => {
                    let Poll::Ready(answer) = future.as_mut().poll(context) else {
                        list.next = NextPage::Fetching(key, future);
                        return Poll::Pending;
                    };
                    if let Err(error) = answer.and_then(|text| list.take(text)) {
                        return Poll::Ready(Some(Err(error)));
                    }
                }
            }
        }
    }
}

/// A page, read.
pub(super) struct PageText<T> {
    pub(super) items: Vec<T>,
    pub(super) next: Option<String>,
    /// `total`, where the page has one.
    pub(super) total: Option<u64>,
}

impl<T> PageText<T> {
    /// Reads a page whose items stand under `key`.
    pub(super) fn read(
        text: &str,
        key: &str,
        read: impl Fn(&str) -> Result<T, ClientError>,
    ) -> Result<Self, ClientError> {
        let wrong = |text: String| ClientError::Answer("a list", text);
        let root = parse(text).map_err(|error| wrong(error.to_string()))?;
        let Some(Value::Array(items)) = root.get(key).map(|node| &node.value) else {
            return Err(wrong(format!("it has no array `{key}`")));
        };
        let next = match root.get("nextPageKey").map(|node| &node.value) {
            None | Some(Value::Null) => None,
            Some(Value::String(key)) => Some(key.to_string()),
            Some(_) => return Err(wrong("its `nextPageKey` is no string".to_owned())),
        };
        let total = match root.get("total").map(|node| &node.value) {
            Some(Value::Number(token)) => token.parse().ok(),
            _ => None,
        };
        let items = items
            .iter()
            .map(|item: &Node<'_>| read(&text[item.start..item.end]));
        Ok(PageText {
            items: items.collect::<Result<_, _>>()?,
            next,
            total,
        })
    }
}
