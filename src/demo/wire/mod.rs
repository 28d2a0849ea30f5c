//! The HTTP side of the loopback world: a request in, a reply out of the world's state.
//!
//! Replies are computed under a read lock and without waiting; only `server` sleeps (latency, slow faults), listens and
//! records. `Server` is what the rest of the program sees.

pub mod account;
pub mod answer;
pub mod call;
pub mod download;
pub mod exchange;
pub mod feed;
pub mod git;
pub mod objects;
pub mod quota;
pub mod relay;
pub mod rest;
pub mod served;
pub mod server;
pub mod tally;
pub mod terms;
pub mod tls;
pub mod trouble;

#[cfg(test)]
mod tests;
