//! Reads a GraphQL document: operations, fragments, fields with aliases, arguments, variables and directives.
//!
//! Total and bounded: a broken text gives an error with its place, and nesting has a limit.

use std::collections::BTreeMap;

use crate::graphql::tokens::{QueryError, Reader, Token};

/// A parsed document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// Variables of the operation with their defaults.
    pub(crate) defaults: Vec<(String, Option<Input>)>,
    /// Whether it changes something.
    pub(crate) mutates: bool,
    pub(crate) selections: Vec<Selection>,
    pub(crate) fragments: BTreeMap<String, Fragment>,
}

/// A named fragment.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) on: String,
    pub(crate) selections: Vec<Selection>,
}

/// One line of a selection set.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) kind: SelectionKind,
    /// `@include` and `@skip` with their condition.
    pub(crate) conditions: Vec<(String, Input)>,
}

/// What a line selects.
#[derive(Clone, Debug)]
pub(crate) enum SelectionKind {
    Field(Field),
    Spread(String),
    Inline { on: Option<String>, selections: Vec<Selection> },
}

/// A field.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) alias: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: Vec<(String, Input)>,
    pub(crate) selections: Vec<Selection>,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Field {
    /// The key of its value in the answer.
    pub(crate) fn key(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }
}

/// A value in a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Input {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// An enum value.
    Word(String),
    Variable(String),
    List(Vec<Input>),
    Object(Vec<(String, Input)>),
}

const DEEPEST: usize = 40;

impl Document {
    /// Reads a document with one operation.
    ///
    /// # Errors
    /// The text is no GraphQL, or nests too deeply.
    pub(crate) fn parse(text: &str) -> Result<Self, QueryError> {
        let mut reader = Reader::new(text)?;
        let mut document = Self::default();
        while reader.token != Token::End {
            match reader.name_if_any().as_deref() {
                Some("fragment") => {
                    reader.advance()?;
                    let name = reader.name()?;
                    reader.word("on")?;
                    let on = reader.name()?;
                    let selections = reader.selections()?;
                    document.fragments.insert(name, Fragment { on, selections });
                }
                Some(kind @ ("query" | "mutation")) => {
                    document.mutates = kind == "mutation";
                    reader.advance()?;
                    if reader.name_if_any().is_some() {
                        reader.advance()?;
                    }
                    document.defaults = reader.variables()?;
                    document.selections = reader.selections()?;
                }
                None if reader.token == Token::Sign('{') => document.selections = reader.selections()?,
                _ => return Err(reader.unexpected()),
            }
        }
        Ok(document)
    }
}

impl Reader<'_> {
    fn name_if_any(&self) -> Option<String> {
        match &self.token {
            Token::Name(name) => Some(name.clone()),
            _ => None,
        }
    }

    fn name(&mut self) -> Result<String, QueryError> {
        let name = self.name_if_any().ok_or_else(|| self.unexpected())?;
        self.advance()?;
        Ok(name)
    }

    fn word(&mut self, word: &str) -> Result<(), QueryError> {
        if self.name_if_any().as_deref() != Some(word) {
            return Err(self.unexpected());
        }
        self.advance()
    }

    fn sign(&mut self, sign: char) -> Result<(), QueryError> {
        if self.token != Token::Sign(sign) {
            return Err(self.unexpected());
        }
        self.advance()
    }

    fn deeper(&mut self) -> Result<(), QueryError> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.unexpected()) } else { Ok(()) }
    }

    fn variables(&mut self) -> Result<Vec<(String, Option<Input>)>, QueryError> {
        let mut all = Vec::new();
        if self.token != Token::Sign('(') {
            return Ok(all);
        }
        self.advance()?;
        while self.token != Token::Sign(')') {
            self.sign('$')?;
            let name = self.name()?;
            self.sign(':')?;
            while matches!(self.token, Token::Name(_) | Token::Sign('[' | ']' | '!')) {
                self.advance()?;
            }
            let mut default = None;
            if self.token == Token::Sign('=') {
                self.advance()?;
                default = Some(self.input()?);
            }
            all.push((name, default));
        }
        self.advance()?;
        Ok(all)
    }

    fn selections(&mut self) -> Result<Vec<Selection>, QueryError> {
        self.deeper()?;
        self.sign('{')?;
        let mut all = Vec::new();
        while self.token != Token::Sign('}') {
            all.push(self.selection()?);
        }
        self.advance()?;
        self.depth -= 1;
        Ok(all)
    }

    fn selection(&mut self) -> Result<Selection, QueryError> {
        if self.token != Token::Spread {
            let (field, conditions) = self.field()?;
            return Ok(Selection { kind: SelectionKind::Field(field), conditions });
        }
        self.advance()?;
        let on = match self.name_if_any() {
            Some(name) if name != "on" => {
                self.advance()?;
                return Ok(Selection { kind: SelectionKind::Spread(name), conditions: self.conditions()? });
            }
            Some(_) => {
                self.advance()?;
                Some(self.name()?)
            }
            None => None,
        };
        let conditions = self.conditions()?;
        Ok(Selection { kind: SelectionKind::Inline { on, selections: self.selections()? }, conditions })
    }

    fn field(&mut self) -> Result<(Field, Vec<(String, Input)>), QueryError> {
        let (line, column) = self.at;
        let mut name = self.name()?;
        let mut alias = None;
        if self.token == Token::Sign(':') {
            self.advance()?;
            alias = Some(std::mem::replace(&mut name, self.name()?));
        }
        let arguments = self.arguments()?;
        let conditions = self.conditions()?;
        let selections = if self.token == Token::Sign('{') { self.selections()? } else { Vec::new() };
        Ok((Field { alias, name, arguments, selections, line, column }, conditions))
    }

    fn arguments(&mut self) -> Result<Vec<(String, Input)>, QueryError> {
        if self.token != Token::Sign('(') {
            return Ok(Vec::new());
        }
        self.advance()?;
        self.pairs(')')
    }

    fn pairs(&mut self, end: char) -> Result<Vec<(String, Input)>, QueryError> {
        let mut all = Vec::new();
        while self.token != Token::Sign(end) {
            let name = self.name()?;
            self.sign(':')?;
            all.push((name, self.input()?));
        }
        self.advance()?;
        Ok(all)
    }

    fn conditions(&mut self) -> Result<Vec<(String, Input)>, QueryError> {
        let mut all = Vec::new();
        while self.token == Token::Sign('@') {
            self.advance()?;
            let name = self.name()?;
            let condition = self.arguments()?.into_iter().find(|(argument, _)| argument == "if");
            all.extend(condition.map(|(_, value)| (name, value)));
        }
        Ok(all)
    }

    fn input(&mut self) -> Result<Input, QueryError> {
        self.deeper()?;
        let token = self.token.clone();
        let value = match token {
            Token::Sign('$') => {
                self.advance()?;
                self.depth -= 1;
                return Ok(Input::Variable(self.name()?));
            }
            Token::Sign('[') => {
                self.advance()?;
                let mut items = Vec::new();
                while self.token != Token::Sign(']') {
                    items.push(self.input()?);
                }
                Input::List(items)
            }
            Token::Sign('{') => {
                self.advance()?;
                self.depth -= 1;
                return Ok(Input::Object(self.pairs('}')?));
            }
            Token::Int(number) => Input::Int(number),
            Token::Float(number) => Input::Float(number),
            Token::Text(text) => Input::Text(text),
            Token::Name(name) => match name.as_str() {
                "true" => Input::Bool(true),
                "false" => Input::Bool(false),
                "null" => Input::Null,
                _ => Input::Word(name),
            },
            Token::Sign(_) | Token::Spread | Token::End => return Err(self.unexpected()),
        };
        self.advance()?;
        self.depth -= 1;
        Ok(value)
    }
}
