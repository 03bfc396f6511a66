//! The fuzz target: any text is read to sound facts.
//!
//! Its inputs are texts, so that the cases that it finds are files to look at and for an ordinary test to replay. Half of the
//! mutations are libFuzzer's own, of bytes; the others are of whole words, drawn from those of CUDA.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

#[path = "../tests/src/reading.rs"]
mod reading;
#[path = "../tests/src/soup.rs"]
mod soup;

fuzz_target!(|data: &[u8]| {
    if let Err(problem) = reading::read(data) {
        panic!("{problem}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed.is_multiple_of(2) {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut random = soup::Random::new(u64::from(seed));
    let text = String::from_utf8_lossy(&data[..size]).into_owned();
    let mut pieces = soup::pieces(&text);
    for _ in 0..=random.below(4) {
        soup::edit(&mut pieces, &mut random);
    }
    let changed = pieces.concat();
    let length = changed.len().min(max_size);
    data[..length].copy_from_slice(&changed.as_bytes()[..length]);
    length
});
