//! `make_float4` and its kin.

use super::super::body::Lowerer;
use super::super::value::*;
use super::{Call, Family, Meaning, row, types};

pub(super) const FAMILY: Family = Family {
    subject: "Vectors",
    source: "CUDA C++ programming guide: Built-in Vector Types",
    namespaces: &[],
    global: true,
    rows: &[
        row(
            "make_{char,uchar,short,ushort,int,uint,long,ulong,longlong,ulonglong,float,double}1",
            1,
            Meaning::By(make),
        ),
        row(
            "make_{char,uchar,short,ushort,int,uint,long,ulong,longlong,ulonglong,float,double}2",
            2,
            Meaning::By(make),
        ),
        row(
            "make_{char,uchar,short,ushort,int,uint,long,ulong,longlong,ulonglong,float,double}3",
            3,
            Meaning::By(make),
        ),
        row(
            "make_{char,uchar,short,ushort,int,uint,long,ulong,longlong,ulonglong,float,double}4",
            4,
            Meaning::By(make),
        ),
    ],
};

fn make(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let ty = types::class(call.name.strip_prefix("make_")?)?;
    let values = me.values_of(call.args);
    Some(me.class_of_values(&ty, values, call.range))
}
