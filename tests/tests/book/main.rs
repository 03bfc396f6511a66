//! The book: its kernels are what they say, its command lines print what stands there, its links lead somewhere, and the files
//! that it shows for other tools do their work.
//!
//! With `UPDATE_EXPECT=1` the outputs in the pages are written anew.

mod integration;
mod kernels;
mod links;
mod pages;
mod samples;
