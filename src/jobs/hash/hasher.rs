//! Where the sums of a body are computed: on the thread that unpacks it, or on a second one while a core would idle.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::thread::JoinHandle;

use crate::jobs::hash::cores::{Core, Cores};
use crate::jobs::hash::sums::{Load, Sums};

/// Loads that go round besides the one that is being filled.
const LOADS: usize = 3;

/// Takes full loads and gives back empty ones.
pub(super) struct Hasher {
    sums: Arc<Mutex<Sums>>,
    beside: Option<Beside>,
    cores: Cores,
}

/// The second thread. It holds the sums for as long as it runs.
struct Beside {
    full: SyncSender<Load>,
    empty: Receiver<Load>,
    thread: JoinHandle<()>,
    _core: Core,
}

impl Hasher {
    pub(super) fn new(sums: Sums, cores: &Cores) -> Self {
        Self { sums: Arc::new(Mutex::new(sums)), beside: None, cores: cores.clone() }
    }

    /// Hands over a load; an empty one comes back.
    pub(super) fn pass(&mut self, load: Load) -> Load {
        self.settle();
        self.hand_over(load)
    }

    /// After the last load, for which no thread is begun.
    pub(super) fn finish(mut self, load: Load) -> Sums {
        self.hand_over(load);
        self.leave();
        let sums = Arc::into_inner(self.sums).expect("the second thread has ended");
        sums.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn hand_over(&mut self, mut load: Load) -> Load {
        let Some(beside) = &self.beside else {
            self.sums.lock().unwrap_or_else(PoisonError::into_inner).take(&mut load);
            return load;
        };
        // There is room for more loads than there are, so that only getting an empty one may wait.
        let passed = beside.full.send(load).ok().and_then(|()| beside.empty.recv().ok());
        passed.unwrap_or_else(|| {
            self.leave();
            unreachable!("the second thread ends early only by a panic, which continues here")
        })
    }

    /// Begins or ends the second thread, as there are cores.
    fn settle(&mut self) {
        if self.beside.is_none() {
            self.beside = self.cores.spare().and_then(|core| Beside::begin(&self.sums, core));
        } else if self.cores.are_short() {
            self.leave();
        }
    }

    /// Ends the second thread, if there is one, once it has taken all that it was handed.
    fn leave(&mut self) {
        let Some(Beside { full, empty, thread, _core }) = self.beside.take() else { return };
        drop((full, empty));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

impl Beside {
    /// `None` where the system has no thread to give.
    fn begin(sums: &Arc<Mutex<Sums>>, core: Core) -> Option<Self> {
        let (full, fulls) = sync_channel(LOADS + 1);
        let (empties, empty) = sync_channel(LOADS + 1);
        (0..LOADS).for_each(|_| empties.send(Load::default()).expect("its receiver is here"));
        let sums = Arc::clone(sums);
        let work = move || {
            let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
            for mut load in fulls {
                sums.take(&mut load);
                // Nobody wants it back any more when this is the end.
                let _ = empties.send(load);
            }
        };
        let thread = thread::Builder::new().name("sums".into()).spawn(work).ok()?;
        Some(Self { full, empty, thread, _core: core })
    }
}
