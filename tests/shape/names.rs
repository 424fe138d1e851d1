//! Names: no type name stands for more than two things.

use std::collections::BTreeMap;

#[test]
fn no_type_name_is_defined_in_more_than_two_modules() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for library in super::libraries() {
        for (path, module) in &library.modules {
            for name in &module.types {
                let place = format!("{}::{}", library.name, path.join("::"));
                places.entry(name.clone()).or_default().push(place);
            }
        }
    }
    assert!(places.contains_key("SolverModule"));
    places.retain(|_, places| places.len() > 2);
    assert!(places.is_empty(), "{places:#?}");
}
