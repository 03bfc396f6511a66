//! What is made of the unit while it is lowered and kept as long as the unit: a list that only grows, so that what is in it
//! may be referred to while more is added.

use std::cell::OnceCell;

/// How many are kept at most.
const MAX_ENTRIES: usize = 512;

/// What was made, by keys.
pub(crate) struct Grown<K, V> {
    first: Slot<K, V>,
}

type Slot<K, V> = OnceCell<Box<Entry<K, V>>>;

struct Entry<K, V> {
    key: K,
    value: V,
    next: Slot<K, V>,
}

impl<K, V> Default for Grown<K, V> {
    fn default() -> Self {
        Grown {
            first: OnceCell::new(),
        }
    }
}

impl<K: PartialEq, V> Grown<K, V> {
    /// What belongs to a key, made where it is new; `None`: there are too many.
    pub(crate) fn get(&self, key: K, make: impl FnOnce(&K) -> V) -> Option<&V> {
        let mut slot = &self.first;
        for _ in 0..MAX_ENTRIES {
            match slot.get() {
                Some(entry) if entry.key == key => return Some(&entry.value),
                Some(entry) => slot = &entry.next,
                None => {
                    let entry = Entry {
                        value: make(&key),
                        key,
                        next: OnceCell::new(),
                    };
                    return Some(&slot.get_or_init(|| Box::new(entry)).value);
                }
            }
        }
        None
    }
}
