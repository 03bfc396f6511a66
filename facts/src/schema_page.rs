//! The schema page.
/// p
pub fn page() -> String {
    String::new()
}
/// d
pub fn declarations() -> String {
    String::new()
}
