//! The HTTP side of the loopback world: a request in, a reply out of the world's state.
//!
//! Replies are computed under a lock of the world (of one writer where the request writes) and without waiting; only `server` sleeps (latency, slow faults), listens and
//! records. `Server` is what the rest of the program sees.

pub(crate) mod account;
pub(crate) mod answer;
pub mod call;
pub(crate) mod download;
pub mod exchange;
pub(crate) mod feed;
pub(crate) mod git;
pub(crate) mod hosted;
pub(crate) mod objects;
pub(crate) mod quota;
pub(crate) mod relay;
pub(crate) mod rest;
pub(crate) mod served;
pub(crate) mod server;
pub(crate) mod tally;
pub(crate) mod terms;
pub mod tls;
pub(crate) mod trouble;

#[cfg(test)]
mod tests;
