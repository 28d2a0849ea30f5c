//! Splits a GraphQL text into tokens, with the place of each.

/// A document that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Parse error on {found} at [{line}, {column}]")]
pub(crate) struct QueryError {
    pub(crate) found: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// One token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Sign(char),
    Spread,
    Name(String),
    Int(i64),
    Float(f64),
    Text(String),
    End,
}

/// A text, and the token that stands at its head.
pub(crate) struct Reader<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
    pub(crate) token: Token,
    /// Where the current token begins.
    pub(crate) at: (usize, usize),
    pub(crate) depth: usize,
}

impl<'a> Reader<'a> {
    /// Begins with the first token of a text.
    pub(crate) fn new(text: &'a str) -> Result<Self, QueryError> {
        let mut reader = Self { rest: text, line: 1, column: 1, token: Token::End, at: (1, 1), depth: 0 };
        reader.advance()?;
        Ok(reader)
    }

    /// The error that the current token should not stand here.
    pub(crate) fn unexpected(&self) -> QueryError {
        let found = match &self.token {
            Token::Sign(sign) => format!("\"{sign}\""),
            Token::Spread => "\"...\"".into(),
            Token::Name(name) => format!("\"{name}\" (IDENTIFIER)"),
            Token::Int(number) => format!("\"{number}\" (INT)"),
            Token::Float(number) => format!("\"{number}\" (FLOAT)"),
            Token::Text(text) => format!("{text:?} (STRING)"),
            Token::End => "end of file".into(),
        };
        QueryError { found, line: self.at.0, column: self.at.1 }
    }

    fn eat(&mut self, bytes: usize) {
        for letter in self.rest[..bytes].chars() {
            if letter == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = &self.rest[bytes..];
    }

    fn blank(&mut self) {
        loop {
            let spaces = self.rest.len()
                - self.rest.trim_start_matches([' ', '\t', '\n', '\r', ',', '\u{feff}']).len();
            self.eat(spaces);
            if !self.rest.starts_with('#') {
                return;
            }
            self.eat(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    /// Goes on to the next token.
    pub(crate) fn advance(&mut self) -> Result<(), QueryError> {
        self.blank();
        self.at = (self.line, self.column);
        let Some(first) = self.rest.chars().next() else {
            self.token = Token::End;
            return Ok(());
        };
        if self.rest.starts_with("...") {
            self.eat(3);
            self.token = Token::Spread;
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = self
                .rest
                .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
                .unwrap_or(self.rest.len());
            self.token = Token::Name(self.rest[..end].to_owned());
            self.eat(end);
        } else if first == '-' || first.is_ascii_digit() {
            self.number()?;
        } else if first == '"' {
            self.text()?;
        } else if "{}()[]:=!$@|&".contains(first) {
            self.eat(1);
            self.token = Token::Sign(first);
        } else {
            self.token = Token::Sign(first);
            return Err(self.unexpected());
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), QueryError> {
        let end = self
            .rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && !"+-.".contains(letter))
            .unwrap_or(self.rest.len());
        let text = &self.rest[..end];
        self.token = match (text.parse(), text.parse()) {
            (Ok(number), _) => Token::Int(number),
            (_, Ok(number)) => Token::Float(number),
            _ => {
                self.token = Token::Name(text.to_owned());
                return Err(self.unexpected());
            }
        };
        self.eat(end);
        Ok(())
    }

    fn text(&mut self) -> Result<(), QueryError> {
        if self.rest.starts_with("\"\"\"") {
            let Some(end) = self.rest[3..].find("\"\"\"") else { return Err(self.unexpected()) };
            self.token = Token::Text(self.rest[3..3 + end].trim().to_owned());
            self.eat(end + 6);
            return Ok(());
        }
        let mut escaped = false;
        let end = self.rest.char_indices().skip(1).find(|(_, letter)| {
            let ends = (*letter == '"' && !escaped) || *letter == '\n';
            escaped = *letter == '\\' && !escaped;
            ends
        });
        let Some((end, '"')) = end else { return Err(self.unexpected()) };
        // the escapes are those of JSON
        let Ok(text) = serde_json::from_str(&self.rest[..=end]) else { return Err(self.unexpected()) };
        self.token = Token::Text(text);
        self.eat(end + 1);
        Ok(())
    }
}
