//! A prepared sending: its gates, and every request.

use serde::Serialize;
use serde_json::Value;

use crate::jobs::data::Prepared;
use crate::rules::sending::{GateState, Sending};

/// One gate, type `gate`.
#[derive(Serialize)]
pub(crate) struct GateObject<'a> {
    number: u64,
    name: &'static str,
    state: GateState,
    evidence: &'a str,
    remedy: Option<&'a str>,
}

impl<'a> GateObject<'a> {
    /// All gates, in their order.
    pub(crate) fn all(prepared: &'a Prepared) -> impl Iterator<Item = Self> {
        (1..).zip(&prepared.gates).map(|(number, gate)| Self {
            number,
            name: gate.name.word(),
            state: gate.state,
            evidence: &gate.evidence,
            remedy: gate.remedy.as_deref(),
        })
    }
}

/// Everything that would be sent, type `sending`.
#[derive(Serialize)]
pub(crate) struct SendingObject<'a> {
    /// The digest over every request with its body, the account, and the servers.
    digest: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a str>,
    /// The number of the pull request, for a review only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pull: Option<u64>,
    account: &'a str,
    servers: &'a [String; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a str>,
    commit: &'a str,
    requests: Vec<RequestObject>,
    /// Markdown that explains why the required check fails; null where it passes.
    #[serde(skip_serializing_if = "is_of_review")]
    comment: Text<'a>,
    /// Markdown for the authors of versions whose archives changed; null where there are none.
    #[serde(skip_serializing_if = "is_of_review")]
    question: Text<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<String>,
}

/// A text beside a pull request; null if there is nothing to say, and absent for a review.
type Text<'a> = Option<Option<&'a str>>;

fn is_of_review(text: &Text<'_>) -> bool {
    text.is_none()
}

#[derive(Serialize)]
struct RequestObject {
    method: &'static str,
    path: String,
    purpose: String,
    body: Value,
}

impl<'a> SendingObject<'a> {
    pub(crate) fn new(prepared: &'a Prepared, patch: bool) -> Self {
        let Sending { account, servers, requests } = &prepared.sending;
        let planned = prepared.planned();
        let requests = requests.iter().map(|request| RequestObject {
            method: request.method(),
            path: request.path(),
            purpose: request.purpose(),
            body: request.body(),
        });
        Self {
            digest: &prepared.digest,
            name: prepared.digits(),
            plan: planned.map(|planned| &*planned.plan),
            pull: prepared.subject.pull(),
            account,
            servers,
            base: planned.map(|planned| &*planned.base.0),
            commit: prepared.subject.commit(),
            requests: requests.collect(),
            comment: planned.map(|planned| Some(&*planned.text.comment).filter(|text| !text.is_empty())),
            question: planned.map(|planned| Some(&*planned.text.question).filter(|text| !text.is_empty())),
            patch: planned.filter(|_| patch).map(|planned| planned.patch.mail()),
        }
    }
}
