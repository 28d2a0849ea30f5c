//! What a console remembers between runs: its views, sort orders, marks. One writer; a second console reads and keeps none.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::Failure;
use crate::jobs::FailureKind;
use crate::jobs::JobEvent;
use crate::jobs::Outcome;
use crate::jobs::Summary;
use crate::jobs::context::Context;
use crate::rules::memory::saved_by_hand;
use crate::store::Error;

/// Says everything that is remembered; nothing where there is no state.
pub(crate) fn recall(env: &Arc<Env>, context: &Context) -> Outcome {
    let read = env.state().as_ref().map_or(Ok(BTreeMap::new()), |state| state.load_session(&env.world));
    match read {
        Ok(values) => {
            context.send(JobEvent::Recalled(values));
            Outcome::Done(Summary::default())
        }
        Err(error) => failed("recalling what was remembered", &error),
    }
}

/// Remembers values. A console that may not write has said so at its start, and goes on; but what somebody saves by hand is
/// not taken for saved then.
pub(crate) fn remember(env: &Arc<Env>, values: &BTreeMap<String, String>) -> Outcome {
    let kept = env.state().as_mut().map(|state| state.save_session(&env.world, values));
    match kept {
        Some(Err(error @ Error::ReadOnly { .. })) if saved_by_hand(values) => not_kept(error.to_string()),
        None if saved_by_hand(values) => {
            not_kept(env.state_notice.clone().unwrap_or_else(|| "there is no state".into()))
        }
        Some(Ok(()) | Err(Error::ReadOnly { .. })) | None => Outcome::Done(Summary::default()),
        Some(Err(error)) => failed("remembering", &error),
    }
}

fn not_kept(why: String) -> Outcome {
    Outcome::Failed(Failure {
        kind: FailureKind::Conflict,
        doing: "keeping the views for the next start".into(),
        causes: vec![why],
        hint: Some(
            "Close the other bumpdesk, or save the view there; here it counts until this one is left.".into(),
        ),
    })
}

fn failed(doing: &str, error: &Error) -> Outcome {
    Outcome::Failed(Failure {
        kind: FailureKind::Internal,
        doing: doing.into(),
        causes: vec![error.to_string()],
        hint: Some("Look after the state folder; the console works without it.".into()),
    })
}
