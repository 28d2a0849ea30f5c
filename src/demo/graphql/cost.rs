//! What a query costs, by GitHub's published formula, and whether its connections are bounded.

use serde_json::{Map, Value};

use crate::graphql::execute::resolve;
use crate::graphql::query::{Document, Field, Selection, SelectionKind};

/// Nodes that one query may ask for.
const MOST_NODES: u64 = 500_000;

/// Connections of the schema that this world knows.
pub(crate) const CONNECTIONS: [&str; 3] = ["releases", "releaseAssets", "refs"];

/// What a query costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Requests that the connections stand for, divided by 100, rounded, at least 1.
    pub(crate) points: u64,
    pub(crate) nodes: u64,
    /// Repositories asked for.
    pub(crate) repositories: usize,
}

struct Count<'a> {
    document: &'a Document,
    variables: &'a Map<String, Value>,
    requests: u64,
    nodes: u64,
    repositories: usize,
}

type Refused = (&'static str, String);

impl Cost {
    /// The cost of a document's operation.
    ///
    /// # Errors
    /// A connection without bounds, with more than 100 nodes, or too many nodes in all: type and message of the error.
    pub(crate) fn of(document: &Document, variables: &Map<String, Value>) -> Result<Self, Refused> {
        let mut count = Count { document, variables, requests: 0, nodes: 0, repositories: 0 };
        count.walk(&document.selections, 1, 0)?;
        if count.nodes > MOST_NODES {
            let message = format!(
                "This query requests up to {} possible nodes which exceeds the maximum limit of 500,000.",
                count.nodes
            );
            return Err(("MAX_NODE_LIMIT_EXCEEDED", message));
        }
        let points = ((count.requests + 50) / 100).max(1);
        Ok(Self { points, nodes: count.nodes, repositories: count.repositories })
    }
}

impl Count<'_> {
    fn walk(&mut self, selections: &[Selection], parents: u64, depth: usize) -> Result<(), Refused> {
        if depth > 40 {
            return Err(("MAX_DEPTH", "The query nests too deeply.".into()));
        }
        for selection in selections {
            match &selection.kind {
                SelectionKind::Field(field) => self.field(field, parents, depth)?,
                SelectionKind::Inline { selections, .. } => self.walk(selections, parents, depth + 1)?,
                SelectionKind::Spread(name) => {
                    let document = self.document;
                    if let Some(fragment) = document.fragments.get(name) {
                        self.walk(&fragment.selections, parents, depth + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn field(&mut self, field: &Field, parents: u64, depth: usize) -> Result<(), Refused> {
        self.repositories += usize::from(field.name == "repository");
        if !CONNECTIONS.contains(&field.name.as_str()) {
            return self.walk(&field.selections, parents, depth + 1);
        }
        let number = |name: &str| {
            let (_, value) = field.arguments.iter().find(|(argument, _)| argument == name)?;
            resolve(value, self.document, self.variables).as_i64()
        };
        let Some(first) = number("first").or_else(|| number("last")) else {
            let message = format!(
                "You must provide a `first` or `last` value to properly paginate the `{}` connection.",
                field.name
            );
            return Err(("MISSING_PAGINATION_BOUNDARIES", message));
        };
        if !(1..=100).contains(&first) {
            let message = format!(
                "Requesting {first} records on the `{}` connection exceeds the `first` limit of 100 records.",
                field.name
            );
            return Err(("EXCESSIVE_PAGINATION", message));
        }
        self.requests = self.requests.saturating_add(parents);
        let nodes = parents.saturating_mul(first.unsigned_abs());
        self.nodes = self.nodes.saturating_add(nodes);
        self.walk(&field.selections, nodes, depth + 1)
    }
}
