//! The Datalog programs of warplog, one analysis a file
