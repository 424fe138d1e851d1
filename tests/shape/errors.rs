//! Errors: no function or callback of a library returns a `String` as its error, which callers cannot tell apart.

use super::source::Library;

/// Returns the places of errors that are strings: crate, module and item.
fn string_errors(library: &Library) -> Vec<String> {
    let places = library.modules.iter().flat_map(|(path, module)| {
        module.string_errors.iter().map(|item| {
            let path = [path.as_slice(), std::slice::from_ref(item)].concat();
            format!("{}::{}", library.name, path.join("::"))
        })
    });
    places.collect()
}

#[test]
fn no_library_has_a_string_as_an_error() {
    // The program prints every error, so it may make them strings early.
    let libraries = super::libraries().into_iter().filter(|library| library.name != "umbrail");
    let found: Vec<String> = libraries.flat_map(|library| string_errors(&library)).collect();
    assert_eq!(found, [""; 0]);
}

#[test]
fn strings_are_found_in_functions_methods_callbacks_and_closures() {
    let folder = std::env::temp_dir().join(format!("umbrail-errors-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = "
        fn plain() -> Result<u8, String> { Ok(1) }
        fn nested() -> Option<std::result::Result<String, String>> { None }
        fn typed() -> Result<String, std::io::Error> { Ok(String::new()) }
        fn closure() { let _ = |x: u8| -> Result<u8, String> { Ok(x) }; }
        struct Holder { read: fn(&str) -> Result<u8, String> }
        type Read<'a> = &'a dyn Fn(&str) -> Result<u8, String>;
        impl Holder { async fn method(&self) -> Result<(), String> { Ok(()) } }
        #[cfg(test)]
        mod tests { fn of_a_test() -> Result<u8, String> { Ok(1) } }
    ";
    std::fs::write(folder.join("lib.rs"), text).unwrap();
    let library = Library::read("example", folder.clone());
    let names = ["plain", "nested", "closure", "Holder", "Read", "method"];
    assert_eq!(string_errors(&library), names.map(|name| format!("example::{name}")));
    std::fs::remove_dir_all(folder).unwrap();
}
