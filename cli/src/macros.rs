//! Macros of the command line, of headers and of the configuration: `-D NAME=VALUE`, `-U NAME`.

use serde::{Deserialize, Serialize};

/// A macro of the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Macro {
    /// `-D`.
    Define {
        /// Name, with parameters if it has some: `F(x)`.
        name: String,
        /// Its body.
        value: String,
    },
    /// `-U`.
    Undefine {
        /// Name.
        name: String,
    },
}

/// `N`, `N=4`, `F(x)=x`.
pub(crate) fn parse_define(text: &str) -> Result<Macro, String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let plain = match name.split_once('(') {
        Some((plain, parameters)) if parameters.ends_with(')') => plain,
        Some(_) => return Err("the parameters of the macro are not closed".to_owned()),
        None => name,
    };
    identifier(plain)?;
    if value.contains(['\n', '\r']) {
        return Err("a macro is one line".to_owned());
    }
    Ok(Macro::Define {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

/// `N`.
pub(crate) fn parse_undefine(text: &str) -> Result<Macro, String> {
    identifier(text)?;
    Ok(Macro::Undefine {
        name: text.to_owned(),
    })
}

fn identifier(name: &str) -> Result<(), String> {
    let mut characters = name.chars();
    let good = characters
        .next()
        .is_some_and(|first| first == '_' || first.is_alphabetic())
        && characters.all(|character| character == '_' || character.is_alphanumeric());
    if good {
        Ok(())
    } else {
        Err(format!("`{name}` is no name of a macro"))
    }
}
