//! How many threads hash at this moment, against the cores that there are: a lone body may take two, many bodies one each.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Shared by all bodies of a process; clones count together.
#[derive(Clone, Debug)]
pub struct Cores(Arc<Count>);

#[derive(Debug)]
struct Count {
    cores: usize,
    busy: AtomicUsize,
}

/// A thread that hashes, until it is dropped.
#[derive(Debug)]
pub(super) struct Core(Arc<Count>);

impl Cores {
    pub fn new(cores: usize) -> Self {
        Self(Arc::new(Count { cores, busy: AtomicUsize::new(0) }))
    }

    /// As many as this process may use.
    pub fn of_machine() -> Self {
        Self::new(std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// For a body's own thread: never refused.
    pub(super) fn enter(&self) -> Core {
        self.0.busy.fetch_add(1, Ordering::Relaxed);
        Core(Arc::clone(&self.0))
    }

    /// For a second thread of one body: only where a core would idle.
    pub(super) fn spare(&self) -> Option<Core> {
        let more = |busy: usize| (busy < self.0.cores).then_some(busy + 1);
        self.0.busy.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(Core(Arc::clone(&self.0)))
    }

    /// Whether more threads hash than there are cores, so that second ones had better end.
    pub(super) fn are_short(&self) -> bool {
        self.0.busy.load(Ordering::Relaxed) > self.0.cores
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_thread_needs_an_idle_core() {
        let cores = Cores::new(2);
        let first = cores.enter();
        let second = cores.spare().expect("one idles");
        assert!(cores.spare().is_none() && !cores.are_short());
        let third = cores.clone().enter();
        assert!(cores.are_short(), "bodies are never refused");
        drop(second);
        assert!(!cores.are_short() && cores.spare().is_none());
        drop(third);
        assert!(cores.spare().is_some());
        drop(first);
        assert!(Cores::new(1).spare().is_some() && Cores::new(0).spare().is_none());
        assert!(Cores::of_machine().spare().is_some());
    }
}
