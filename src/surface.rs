//! All that `main`, tests and benches name of the crate, each name under its user; the rest is the crate's own, so that the
//! compiler finds what nobody calls.
//!
//! Everything listed here is used by the product too; `tests/it/architecture` checks that.

pub mod boot {
    // For `main`.
    pub use crate::boot::Environment;
    // For `tests/it`.
    pub use crate::boot::{Flags, Folders, Settings};
}
pub mod cli {
    // For `main`.
    pub use crate::cli::run;
    // For `tests/it`.
    pub use crate::cli::{Console, ConsoleOptions, OpenConsole, Starting};
}
pub mod front {
    // For `main`.
    pub use crate::front::CONSOLE;
}
pub mod jobs {
    // For `tests/it`.
    pub use crate::jobs::data::{
        Applied, BumpPlan, Failure, FailureKind, Gate, Job, JobEvent, JobId, LintPlan, Meter, OpenPlan,
        Opened, Outcome, PlanAdd, PlanMark, PlanTask, Scope, Steer, Summary, SurveyPlan, VerifyNews,
        VerifyPlan, Wanted, Writes,
    };
    pub use crate::jobs::{Clock, Engine, Env, EnvOptions};
    // For `tests/bench`.
    pub use crate::jobs::data::{BackfillNews, BackfillTask, Loaded};
    pub use crate::jobs::{Cores, Piece, hash_body};
}
pub mod registry {
    // For `tests/it`.
    pub use crate::registry::{Address, Document, Kind, Shape};
    // For `tests/bench`.
    pub use crate::registry::{Catalog, Json, Row, digest};
    pub mod keys {
        // For `tests/it`.
        pub use crate::registry::keys::{KeyFile, KeyScope};
    }
}
pub mod rules {
    // For `tests/it`.
    pub use crate::rules::{
        Class, Depth, Finding, Mode, PublishedBy, Severity, Source, Status, Verdict, VersionMark,
    };
    // For `tests/bench`.
    pub use crate::rules::Because;
    pub mod archive {
        // For `tests/bench`.
        pub use crate::rules::archive::Limits;
    }
    pub mod backfill {
        // For `tests/bench`.
        pub use crate::rules::backfill::Row;
    }
    pub mod diff {
        // For `tests/bench`.
        pub use crate::rules::diff::{Lines, compare};
    }
    pub mod hash {
        // For `tests/it`.
        pub use crate::rules::hash::{NotInstallable, Unlockable};
        // For `tests/bench`.
        pub use crate::rules::hash::{Finished, Hashes, NoHash, Outcome, Stream, hash_archive};
    }
    pub mod plan {
        // For `tests/it`.
        pub use crate::rules::plan::{PieceId, Verb, Which};
    }
    pub mod signature {
        // For `tests/it`.
        pub use crate::rules::signature::{Answer, Caveat, Check, Client, KeyFault, KeyRing, Oddity, Unfit};
    }
    pub mod verify {
        // For `tests/it`.
        pub use crate::rules::verify::{Answer, Case, Computed, Row, SignatureSays, State, Zip};
    }
}
pub mod settings {
    // For `tests/it`.
    pub use crate::settings::{Endpoints, Feature, Features, Pace};
}
pub mod store {
    // For `tests/bench`.
    pub use crate::store::Spool;
}
pub mod tui {
    // For `tests/it`.
    pub use crate::tui::{Chord, Effect, Glyphs, KeyRow, Model, Msg, Options, Size, keys, update, view};
}
