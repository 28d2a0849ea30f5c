//! The data files that bumps changed on each of the last 30 days, counted from the checkout's own history.

use std::path::Path;

use jiff::Timestamp;

use crate::jobs::data::{Failure, FailureKind};
use crate::rules::activity::{Activity, day_of};
use crate::store::Checkout;

/// Counts the files of a registry, read at a reference if there is one, up to the day of `now`. `known` is an earlier count.
/// `None`: there is no history.
pub(crate) fn count_activity(
    (path, reference): (&Path, Option<&str>),
    now: Timestamp,
    known: Option<&Activity>,
) -> Result<Option<Activity>, Failure> {
    let counted = Checkout::open(path, reference).and_then(|checkout| checkout.activity(day_of(now), known));
    counted.map_err(|error| {
        Failure::new(FailureKind::Data, "counting the files that bumps changed").cause(error.to_string())
    })
}
