//! Carries a query out: walks the selections and collects values and errors.

use serde_json::{Map, Value, json};

use crate::graphql::cost::Cost;
use crate::graphql::mutation::Done;
use crate::graphql::node::{Node, Out};
use crate::graphql::query::{Document, Field, Input, Selection, SelectionKind};
use crate::wire::answer::Site;
use crate::wire::quota::Usage;

/// One query under way.
pub(crate) struct Run<'a> {
    pub(crate) site: &'a Site<'a>,
    pub(crate) cost: Cost,
    pub(crate) usage: Usage,
    pub(crate) errors: Vec<Value>,
    /// The query does not fit the schema: no data at all.
    pub(crate) refused: bool,
    /// What the changes that were asked for came to, by key.
    pub(crate) done: &'a [(String, Done)],
    document: &'a Document,
    variables: &'a Map<String, Value>,
    path: Vec<Value>,
    depth: usize,
}

/// The value of an input, with variables put in.
pub(crate) fn resolve(input: &Input, document: &Document, variables: &Map<String, Value>) -> Value {
    match input {
        Input::Null => Value::Null,
        Input::Bool(value) => json!(value),
        Input::Int(value) => json!(value),
        Input::Float(value) => json!(value),
        Input::Text(text) | Input::Word(text) => json!(text),
        Input::List(items) => items.iter().map(|item| resolve(item, document, variables)).collect(),
        Input::Object(fields) => Value::Object(
            fields.iter().map(|(name, value)| (name.clone(), resolve(value, document, variables))).collect(),
        ),
        Input::Variable(name) => variables.get(name).cloned().unwrap_or_else(|| {
            let default =
                document.defaults.iter().find(|(one, _)| one == name).and_then(|(_, value)| value.as_ref());
            match default {
                Some(Input::Variable(_)) | None => Value::Null,
                Some(value) => resolve(value, document, variables),
            }
        }),
    }
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        site: &'a Site<'a>,
        document: &'a Document,
        variables: &'a Map<String, Value>,
        cost: Cost,
        usage: Usage,
    ) -> Self {
        Self {
            site,
            cost,
            usage,
            errors: Vec::new(),
            refused: false,
            done: &[],
            document,
            variables,
            path: Vec::new(),
            depth: 0,
        }
    }

    /// The same, of changes that were carried out.
    pub(crate) fn after(mut self, done: &'a [(String, Done)]) -> Self {
        self.done = done;
        self
    }

    /// The data of the whole query.
    pub(crate) fn carry_out(&mut self) -> Value {
        let document = self.document;
        let root = if document.mutates { Node::Mutation } else { Node::Query };
        self.select(&root, &document.selections)
    }

    /// The arguments of a field, with variables put in.
    pub(crate) fn arguments(&self, field: &Field) -> Map<String, Value> {
        let value = |input: &Input| resolve(input, self.document, self.variables);
        field.arguments.iter().map(|(name, input)| (name.clone(), value(input))).collect()
    }

    /// Notes an error of one field; its value is null.
    pub(crate) fn error(&mut self, kind: &str, message: &str, field: &Field) {
        let mut path = self.path.clone();
        path.push(json!(field.key()));
        self.errors.push(json!({
            "type": kind,
            "path": path,
            "locations": [{ "line": field.line, "column": field.column }],
            "message": message,
        }));
    }

    fn refuse(&mut self, message: &str, field: &Field) {
        self.refused = true;
        self.error("undefinedField", message, field);
    }

    fn select(&mut self, node: &Node<'a>, selections: &'a [Selection]) -> Value {
        let mut fields = Map::new();
        self.collect(node, selections, &mut fields);
        Value::Object(fields)
    }

    fn collect(&mut self, node: &Node<'a>, selections: &'a [Selection], into: &mut Map<String, Value>) {
        if self.depth > 60 {
            return;
        }
        self.depth += 1;
        for selection in selections {
            if !self.applies(selection) {
                continue;
            }
            match &selection.kind {
                SelectionKind::Field(field) => {
                    let value = self.field(node, field);
                    into.insert(field.key().to_owned(), value);
                }
                SelectionKind::Inline { on, selections } => {
                    if on.as_deref().is_none_or(|on| node.is_a(on)) {
                        self.collect(node, selections, into);
                    }
                }
                SelectionKind::Spread(name) => {
                    let document = self.document;
                    match document.fragments.get(name) {
                        Some(fragment) if node.is_a(&fragment.on) => {
                            self.collect(node, &fragment.selections, into);
                        }
                        Some(_) => {}
                        None => {
                            self.refused = true;
                            self.errors.push(
                                json!({ "message": format!("Fragment {name} was used, but not defined") }),
                            );
                        }
                    }
                }
            }
        }
        self.depth -= 1;
    }

    fn applies(&self, selection: &Selection) -> bool {
        selection.conditions.iter().all(|(name, condition)| {
            let holds = resolve(condition, self.document, self.variables) == json!(true);
            if name == "skip" { !holds } else { holds }
        })
    }

    fn field(&mut self, node: &Node<'a>, field: &'a Field) -> Value {
        let out = if field.name == "__typename" {
            Some(Out::Plain(json!(node.type_name())))
        } else {
            node.field(self, field)
        };
        let Some(out) = out else {
            let message = format!("Field '{}' doesn't exist on type '{}'", field.name, node.type_name());
            self.refuse(&message, field);
            return Value::Null;
        };
        self.path.push(json!(field.key()));
        let value = match out {
            Out::Plain(value) => value,
            Out::One(node) => self.object(&node, field),
            Out::Many(nodes) => {
                let mut list = Vec::with_capacity(nodes.len());
                for (index, node) in nodes.iter().enumerate() {
                    self.path.push(json!(index));
                    list.push(self.object(node, field));
                    self.path.pop();
                }
                Value::Array(list)
            }
        };
        self.path.pop();
        value
    }

    fn object(&mut self, node: &Node<'a>, field: &'a Field) -> Value {
        if field.selections.is_empty() {
            let message = format!(
                "Field must have selections (field '{}' returns {} but has no selections.)",
                field.name,
                node.type_name()
            );
            self.path.pop();
            self.refuse(&message, field);
            self.path.push(Value::Null);
            return Value::Null;
        }
        self.select(node, &field.selections)
    }
}
