//! Many futures of one kind at once, on one task, until all are done or the job is asked to stop.

use std::future::Future;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use crate::jobs::context::{Cancelled, Context};

/// Runs `work` on every item, at most `at_once` at a time, and hands each result to `done` as it comes. On a request to stop
/// the futures under way are dropped.
pub(crate) async fn fan<T, W, F, R>(
    context: &Context,
    items: impl IntoIterator<Item = T>,
    at_once: usize,
    work: W,
    mut done: impl FnMut(R),
) -> Result<(), Cancelled>
where
    W: Fn(T) -> F,
    F: Future<Output = R>,
{
    let mut waiting = items.into_iter();
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < at_once {
            let Some(item) = waiting.next() else { break };
            running.push(work(item));
        }
        let Some(result) = context.run(running.next()).await? else { return Ok(()) };
        done(result);
    }
}
