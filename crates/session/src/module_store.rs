//! State that modules keep between tasks and between games: one value of each type.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use umbrail_control::lock;

/// Values by their types. Copies of a store share it.
#[derive(Clone, Default)]
pub struct ModuleStore(Arc<Mutex<HashMap<TypeId, Box<dyn Any + Send>>>>);

impl ModuleStore {
    /// Returns the value of a type, created on first use. Values are handles: all copies see a
    /// change.
    pub fn get<T: Clone + Default + Send + 'static>(&self) -> T {
        let mut values = lock(&self.0);
        let value = values.entry(TypeId::of::<T>()).or_insert_with(|| Box::new(T::default()));
        value.downcast_ref::<T>().cloned().unwrap_or_default()
    }
}

impl fmt::Debug for ModuleStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ModuleStore")
    }
}
