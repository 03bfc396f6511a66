//! Tables as Parquet, uncompressed and in one row group: the files of one run are small, and whoever puts many together packs them.

use std::sync::Arc;

use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::{Column, Table};

/// The bytes of a file with the table.
///
/// # Errors
/// Only where memory runs out.
pub fn render(table: &Table) -> Result<Vec<u8>, ParquetError> {
    let fields = table.columns.iter().map(|(name, column)| {
        let (physical, converted) = match column {
            Column::Text(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
            Column::Number(_) => (Physical::INT64, ConvertedType::INT_64),
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_converted_type(converted)
            .with_repetition(Repetition::OPTIONAL);
        field.build().map(Arc::new)
    });
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder(table.name)
        .with_fields(fields)
        .build()?;
    let properties = Arc::new(WriterProperties::builder().build());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, Arc::new(schema), properties)?;
    let mut group = writer.next_row_group()?;
    for (_, column) in &table.columns {
        let Some(mut open) = group.next_column()? else {
            break;
        };
        match column {
            Column::Text(all) => {
                let values: Vec<ByteArray> = all
                    .iter()
                    .flatten()
                    .map(|text| ByteArray::from(text.as_str()))
                    .collect();
                open.typed::<ByteArrayType>()
                    .write_batch(&values, Some(&levels(all)), None)?;
            }
            Column::Number(all) => {
                let values: Vec<i64> = all.iter().flatten().copied().collect();
                open.typed::<Int64Type>()
                    .write_batch(&values, Some(&levels(all)), None)?;
            }
        }
        open.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(bytes)
}

/// Which rows have a value.
fn levels<T>(all: &[Option<T>]) -> Vec<i16> {
    all.iter().map(|value| i16::from(value.is_some())).collect()
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::{rows, sample};

    #[test]
    fn files_begin_and_end_as_parquet_does() {
        for report in [crate::finding::Report::default(), sample::report()] {
            for table in rows::tables(&report) {
                let bytes = render(&table).expect("bytes");
                assert!(
                    bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"),
                    "{}",
                    table.name
                );
            }
        }
    }
}
