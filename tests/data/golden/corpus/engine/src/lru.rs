use std::collections::HashMap;
use std::hash::Hash;

struct Slot<K, V> {
    key: K,
    value: V,
    newer: Option<usize>,
    older: Option<usize>,
}

/// Keeps the entries that were asked for last, up to a fixed number.
pub struct Lru<K, V> {
    map: HashMap<K, usize>,
    slots: Vec<Slot<K, V>>,
    newest: Option<usize>,
    oldest: Option<usize>,
    capacity: usize,
}

impl<K: Hash + Eq + Clone, V> Lru<K, V> {
    pub fn new(capacity: usize) -> Self {
        assert!(capacity > 0);
        Lru { map: HashMap::new(), slots: Vec::new(), newest: None, oldest: None, capacity }
    }

    pub fn get(&mut self, key: &K) -> Option<&V> {
        let at = *self.map.get(key)?;
        self.unlink(at);
        self.push(at);
        Some(&self.slots[at].value)
    }

    /// When full, whatever has lain untouched for longest makes room.
    pub fn insert(&mut self, key: K, value: V) {
        if let Some(&at) = self.map.get(&key) {
            self.slots[at].value = value;
            self.unlink(at);
            self.push(at);
            return;
        }
        let at = if self.slots.len() < self.capacity {
            self.slots.push(Slot { key: key.clone(), value, newer: None, older: None });
            self.slots.len() - 1
        } else {
            let at = self.oldest.expect("a full cache has an oldest entry");
            self.unlink(at);
            self.map.remove(&self.slots[at].key);
            self.slots[at] = Slot { key: key.clone(), value, newer: None, older: None };
            at
        };
        self.map.insert(key, at);
        self.push(at);
    }

    fn unlink(&mut self, at: usize) {
        let (newer, older) = (self.slots[at].newer, self.slots[at].older);
        match newer {
            Some(n) => self.slots[n].older = older,
            None => self.newest = older,
        }
        match older {
            Some(o) => self.slots[o].newer = newer,
            None => self.oldest = newer,
        }
    }

    fn push(&mut self, at: usize) {
        self.slots[at].older = self.newest;
        self.slots[at].newer = None;
        if let Some(n) = self.newest {
            self.slots[n].newer = Some(at);
        }
        self.newest = Some(at);
        self.oldest.get_or_insert(at);
    }
}
