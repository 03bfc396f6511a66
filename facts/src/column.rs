//! What a column of a relation can hold, and how it is written in a CSV cell.

use crate::ctype::CType;
use crate::ids::*;
use crate::term::Op;

/// A value that can stand in a column.
pub trait Column: Sized {
    /// Name of the column type on the schema page and in the declaration file.
    const TYPE: &'static str;
    /// Whether the declaration file declares it as a symbol (text) rather than a number.
    const TEXT: bool;
    /// The kind of id, when the column refers to the key of a relation.
    const REFERS: Option<IdKind> = None;
    /// The cell's text.
    fn write(&self) -> String;
    /// Reads a cell; the error says what was expected.
    fn read(cell: &str) -> Result<Self, String>;
    /// The raw id, when the column refers to a relation and is not empty.
    fn raw_id(&self) -> Option<u32> {
        None
    }
    /// Replaces an id by its image.
    fn map_id(&mut self, _image: &mut dyn FnMut(IdKind, u32) -> u32) {}
}

macro_rules! id_columns {
    ($($name:ident)+) => {$(
        impl Column for $name {
            const TYPE: &'static str = stringify!($name);
            const TEXT: bool = false;
            const REFERS: Option<IdKind> = Some($name::KIND);
            fn write(&self) -> String { self.0.to_string() }
            fn read(cell: &str) -> Result<Self, String> {
                cell.parse().map($name).map_err(|_| format!("expected an id (a number), found `{}`", shown(cell)))
            }
            fn raw_id(&self) -> Option<u32> { Some(self.0) }
            fn map_id(&mut self, image: &mut dyn FnMut(IdKind, u32) -> u32) { self.0 = image($name::KIND, self.0); }
        }
        impl Column for Option<$name> {
            const TYPE: &'static str = concat!(stringify!($name), "?");
            const TEXT: bool = true;
            const REFERS: Option<IdKind> = Some($name::KIND);
            fn write(&self) -> String { self.map(|id| id.0.to_string()).unwrap_or_default() }
            fn read(cell: &str) -> Result<Self, String> {
                if cell.is_empty() { Ok(None) } else { $name::read(cell).map(Some) }
            }
            fn raw_id(&self) -> Option<u32> { self.map(|id| id.0) }
            fn map_id(&mut self, image: &mut dyn FnMut(IdKind, u32) -> u32) { if let Some(id) = self { id.map_id(image); } }
        }
    )+};
}

id_columns! {
    FileId SpanId KernelId LaunchId SymbolId ArrayId TermId UnknownId FunctionId PointId LoopId AccessId BarrierId AssertId InvariantId
}

macro_rules! number_columns {
    ($($ty:ty)+) => {$(
        impl Column for $ty {
            const TYPE: &'static str = stringify!($ty);
            const TEXT: bool = false;
            fn write(&self) -> String { self.to_string() }
            fn read(cell: &str) -> Result<Self, String> {
                cell.parse().map_err(|_| format!(concat!("expected a number (", stringify!($ty), "), found `{}`"), shown(cell)))
            }
        }
        impl Column for Option<$ty> {
            const TYPE: &'static str = concat!(stringify!($ty), "?");
            const TEXT: bool = true;
            fn write(&self) -> String { self.map(|value| value.to_string()).unwrap_or_default() }
            fn read(cell: &str) -> Result<Self, String> {
                if cell.is_empty() { Ok(None) } else { <$ty as Column>::read(cell).map(Some) }
            }
        }
    )+};
}

number_columns! { u32 u64 }

/// The payload of a term: written as decimal text because it may exceed 64 bits.
impl Column for i128 {
    const TYPE: &'static str = "integer";
    const TEXT: bool = true;
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(cell: &str) -> Result<Self, String> {
        cell.parse()
            .map_err(|_| format!("expected an integer, found `{}`", shown(cell)))
    }
}

impl Column for bool {
    const TYPE: &'static str = "bool";
    const TEXT: bool = true;
    fn write(&self) -> String {
        self.to_string()
    }
    fn read(cell: &str) -> Result<Self, String> {
        cell.parse()
            .map_err(|_| format!("expected `true` or `false`, found `{}`", shown(cell)))
    }
}

impl Column for String {
    const TYPE: &'static str = "text";
    const TEXT: bool = true;
    fn write(&self) -> String {
        self.clone()
    }
    fn read(cell: &str) -> Result<Self, String> {
        Ok(cell.to_owned())
    }
}

impl Column for Op {
    const TYPE: &'static str = "Op";
    const TEXT: bool = true;
    fn write(&self) -> String {
        self.name().to_owned()
    }
    fn read(cell: &str) -> Result<Self, String> {
        cell.parse()
            .map_err(|()| format!("unknown operator `{}`", shown(cell)))
    }
}

impl Column for CType {
    const TYPE: &'static str = "CType";
    const TEXT: bool = true;
    fn write(&self) -> String {
        self.name().to_owned()
    }
    fn read(cell: &str) -> Result<Self, String> {
        cell.parse()
            .map_err(|()| format!("unknown C type `{}`", shown(cell)))
    }
}

/// A cell as shown in an error message: cut, without control characters.
pub(crate) fn shown(cell: &str) -> String {
    let mut text: String = cell
        .chars()
        .take(40)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if cell.chars().count() > 40 {
        text.push('…');
    }
    text
}

/// Declares an enumeration whose variants are words in fact files.
macro_rules! words {
    ($($(#[doc = $doc:literal])+ $name:ident { $($(#[doc = $vdoc:literal])+ $variant:ident = $text:literal,)+ })+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[doc = $vdoc])+ $variant,)+ }

        impl $name {
            /// All words, in the order of their declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];
            /// The word in fact files.
            pub fn name(self) -> &'static str { match self { $($name::$variant => $text,)+ } }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.name()) }
        }

        impl $crate::column::Column for $name {
            const TYPE: &'static str = stringify!($name);
            const TEXT: bool = true;
            fn write(&self) -> String { self.name().to_owned() }
            fn read(cell: &str) -> Result<Self, String> {
                $name::ALL.iter().copied().find(|word| word.name() == cell).ok_or_else(|| {
                    format!("expected one of {}, found `{}`",
                        [$($text),+].join(", "), $crate::column::shown(cell))
                })
            }
        }

        impl $crate::words::Words for $name {
            const NAME: &'static str = stringify!($name);
            const WORDS: &'static [(&'static str, &'static str)] =
                &[$(($text, concat!($($vdoc),+)),)+];
        }
    )+};
}
pub(crate) use words;
