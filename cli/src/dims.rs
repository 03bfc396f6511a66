//! Block and grid sizes as people write them: `64`, `16,16`, `[16,16]`.

/// Sizes by axis: x, y, z.
pub type Dims = [u64; 3];

/// Reads one to three positive sizes, in brackets or not; those left out are 1. A size fits 32 bits, as in `dim3`.
///
/// # Errors
/// Says what is wrong, in words that can stand behind the name of the flag.
pub fn parse_dims(text: &str) -> Result<Dims, String> {
    let inner = match (text.strip_prefix('['), text.ends_with(']')) {
        (Some(rest), true) => &rest[..rest.len() - 1],
        (None, false) => text,
        _ => return Err("the brackets do not match".to_owned()),
    };
    let mut dims = [1; 3];
    let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
    if parts.len() > dims.len() {
        return Err(format!("{} sizes, but there are three axes", parts.len()));
    }
    for (dim, part) in dims.iter_mut().zip(parts) {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let size = part.parse::<u32>().ok().filter(|size| digits && *size > 0);
        *dim = u64::from(size.ok_or_else(|| format!("`{part}` is not a positive 32-bit number"))?);
    }
    Ok(dims)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings() {
        assert_eq!(parse_dims("64"), Ok([64, 1, 1]));
        assert_eq!(parse_dims("16,8"), Ok([16, 8, 1]));
        assert_eq!(parse_dims("[16, 8, 2]"), Ok([16, 8, 2]));
        assert_eq!(parse_dims("4294967295"), Ok([4_294_967_295, 1, 1]));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "0",
            "1,0",
            "1,,2",
            "1,2,3,4",
            "[1",
            "1]",
            "[]",
            "x",
            "-1",
            "+1",
            "1.5",
            "4294967296",
        ] {
            assert!(parse_dims(text).is_err(), "{text:?}");
        }
    }
}
