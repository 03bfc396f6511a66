//! The machinery of relation declarations: one macro makes row types, CSV, references and docs.

use crate::ids::IdKind;

/// What is known of one column.
#[derive(Clone, Copy, Debug)]
pub struct ColumnInfo {
    /// Column name, the CSV header.
    pub name: &'static str,
    /// Type name as on the schema page.
    pub ty: &'static str,
    /// Whether other engines should read it as text.
    pub text: bool,
    /// The relation whose key the column refers to.
    pub refers: Option<IdKind>,
    /// One sentence.
    pub doc: &'static str,
}

/// What is known of one relation.
#[derive(Clone, Copy, Debug)]
pub struct RelationInfo {
    /// Relation name, the CSV file's stem.
    pub name: &'static str,
    /// Predicate form, meaning, a CUDA line that yields it and one that does not.
    pub doc: &'static str,
    /// Number of leading columns that form the key; 0 for a plain set of rows.
    pub key: usize,
    /// Whether the key is one dense id: row n has id n.
    pub dense: bool,
    /// The columns in order.
    pub columns: &'static [ColumnInfo],
}

/// A row of a relation.
pub trait Row: Sized {
    /// The relation's declaration.
    const INFO: RelationInfo;
    /// The cells in column order.
    fn write(&self) -> Vec<String>;
    /// Reads the cells; the error names the column and says what was expected.
    fn read(cells: &[&str]) -> Result<Self, (usize, String)>;
    /// The ids that the row refers to, with the index of their columns.
    fn references(&self, visit: &mut dyn FnMut(usize, IdKind, u32));
    /// Replaces every id of the row by its image.
    fn map_ids(&mut self, image: &mut dyn FnMut(IdKind, u32) -> u32);
}

/// Declares the relations of a store: a row type each, the store with one vector a relation, and
/// the list of declarations.
macro_rules! relations {
    ($(#[$sdoc:meta])+ $store:ident {
        $($(#[doc = $doc:literal])+ $relation:ident / $row:ident $file:literal [$($key:tt)*] {
            $($(#[doc = $cdoc:literal])+ $column:ident : $ty:ty,)+
        })+
    }) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
            pub struct $row { $($(#[doc = $cdoc])+ pub $column: $ty,)+ }

            impl $crate::relation::Row for $row {
                const INFO: $crate::relation::RelationInfo = $crate::relation::RelationInfo {
                    name: $file,
                    doc: concat!($($doc, "\n"),+),
                    key: $crate::relation::relations!(@key $($key)*),
                    dense: $crate::relation::relations!(@dense $($key)*),
                    columns: &[$($crate::relation::ColumnInfo {
                        name: stringify!($column),
                        ty: <$ty as $crate::column::Column>::TYPE,
                        text: <$ty as $crate::column::Column>::TEXT,
                        refers: <$ty as $crate::column::Column>::REFERS,
                        doc: concat!($($cdoc, " "),+).trim_ascii(),
                    },)+],
                };
                fn write(&self) -> Vec<String> {
                    vec![$($crate::column::Column::write(&self.$column),)+]
                }
                fn read(cells: &[&str]) -> Result<Self, (usize, String)> {
                    let mut next = 0;
                    let mut take = || { let index = next; next += 1; (index, cells.get(index).copied().unwrap_or("")) };
                    Ok($row { $($column: {
                        let (index, cell) = take();
                        <$ty as $crate::column::Column>::read(cell).map_err(|message| (index, message))?
                    },)+ })
                }
                fn references(&self, visit: &mut dyn FnMut(usize, $crate::ids::IdKind, u32)) {
                    let mut index = 0;
                    $(
                        if let (Some(kind), Some(id)) = (
                            <$ty as $crate::column::Column>::REFERS,
                            $crate::column::Column::raw_id(&self.$column),
                        ) { visit(index, kind, id); }
                        index += 1;
                    )+
                    let _ = index;
                }
                fn map_ids(&mut self, image: &mut dyn FnMut($crate::ids::IdKind, u32) -> u32) {
                    $($crate::column::Column::map_id(&mut self.$column, image);)+
                }
            }
        )+

        $(#[$sdoc])+
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct $store { $($(#[doc = $doc])+ pub $relation: Vec<$row>,)+ }

        impl $store {
            /// The declarations of all relations of this store, in order.
            pub const RELATIONS: &'static [$crate::relation::RelationInfo] =
                &[$(<$row as $crate::relation::Row>::INFO,)+];

            /// Calls the visitor with every relation in order.
            pub fn visit<V: $crate::relation::Visit>(&self, visitor: &mut V) -> Result<(), V::Error> {
                $(visitor.visit(&self.$relation)?;)+
                Ok(())
            }

            /// Adds the rows of another store behind those of this one, ids as they are.
            pub fn append(&mut self, mut other: Self) {
                $(self.$relation.append(&mut other.$relation);)+
            }

            /// Calls the visitor with every relation in order, to fill or change it.
            pub fn visit_mut<V: $crate::relation::VisitMut>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
                $(visitor.visit(&mut self.$relation)?;)+
                Ok(())
            }
        }
    };
    (@key dense) => { 1 };
    (@key key $n:literal) => { $n };
    (@key) => { 0 };
    (@dense dense) => { true };
    (@dense $($other:tt)*) => { false };
}
pub(crate) use relations;

/// Something done to every relation of a store.
pub trait Visit {
    /// What can go wrong.
    type Error;
    /// Called once a relation.
    fn visit<R: Row>(&mut self, rows: &[R]) -> Result<(), Self::Error>;
}

/// Something done to every relation of a store that may change it.
pub trait VisitMut {
    /// What can go wrong.
    type Error;
    /// Called once a relation.
    fn visit<R: Row>(&mut self, rows: &mut Vec<R>) -> Result<(), Self::Error>;
}
