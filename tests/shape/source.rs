//! Source files as modules: their paths, their imports and the types they define.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// A module path such as `["search", "node"]`; the crate root is empty.
pub(crate) type ModulePath = Vec<String>;

/// One source file without its unit tests.
#[derive(Default)]
pub(crate) struct Module {
    /// Paths that the file names, from the crate root; some lead to other crates.
    paths: BTreeSet<Vec<String>>,
    /// Paths that the file re-exports, by the name they get.
    exports: Vec<(String, Vec<String>)>,
    /// Types that the file defines outside of functions.
    pub(crate) types: Vec<String>,
    /// Functions and types that return a `String` as an error, or whose callbacks or closures do.
    pub(crate) string_errors: Vec<String>,
}

/// The modules of one crate.
pub(crate) struct Library {
    pub(crate) name: String,
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

impl Library {
    /// Reads all source files below a folder except files of tests.
    pub(crate) fn read(name: &str, folder: PathBuf) -> Self {
        let mut modules = BTreeMap::new();
        let mut waiting = vec![folder.clone()];
        while let Some(next) = waiting.pop() {
            for entry in std::fs::read_dir(&next).expect("a source folder") {
                let path = entry.expect("an entry").path();
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                if stem == "tests" || stem == "main" {
                    continue;
                }
                if path.is_dir() {
                    waiting.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    let text = std::fs::read_to_string(&path).expect("text");
                    let file = syn::parse_file(&text).unwrap_or_else(|error| {
                        panic!("{}: {error}", path.display());
                    });
                    let place = module_path(&folder, &path);
                    let (item, module) = (String::new(), Module::default());
                    let mut reader = Reader { place: place.clone(), item, module };
                    reader.visit_file(&file);
                    modules.insert(place, reader.module);
                }
            }
        }
        Self { name: name.to_owned(), modules }
    }

    /// Returns the modules that a module imports from; re-exports are followed to their origin.
    pub(crate) fn imports(&self, module: &Module) -> BTreeSet<ModulePath> {
        module.paths.iter().filter_map(|path| self.resolve(path, 0)).collect()
    }

    fn resolve(&self, path: &[String], depth: usize) -> Option<ModulePath> {
        let end = (0..=path.len()).rev().find(|&end| self.modules.contains_key(&path[..end]))?;
        let (target, name) = (&path[..end], path.get(end));
        let exports = &self.modules.get(target)?.exports;
        let origin = exports.iter().find(|(export, origin)| {
            Some(export) == name && depth < 8 && origin[..] != path[..=end]
        });
        match origin {
            Some((_, origin)) => self.resolve(origin, depth + 1),
            None => Some(target.to_vec()),
        }
    }
}

fn module_path(folder: &Path, file: &Path) -> ModulePath {
    let relative = file.strip_prefix(folder).expect("below the folder").with_extension("");
    let mut path: ModulePath =
        relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if matches!(path.last().map(String::as_str), Some("mod" | "lib")) {
        path.pop();
    }
    path
}

/// Collects the paths and types of one file.
struct Reader {
    place: ModulePath,
    /// Function or type that is read.
    item: String,
    module: Module,
}

impl Reader {
    /// Makes a path absolute. A path that begins with none of `crate`, `self` and `super` is that of
    /// a child module, or of another crate; the latter leads to no module.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|part| *part == "super").count();
        let (base, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (&self.place[..], &path[1..]),
            "super" => (self.place.get(..self.place.len().checked_sub(ups)?)?, &path[ups..]),
            _ => (&self.place[..], path),
        };
        Some([base, rest].concat())
    }

    fn add(&mut self, path: &[String]) {
        let path = self.absolute(path);
        self.module.paths.extend(path);
    }

    fn add_use(&mut self, tree: &syn::UseTree, before: &[String], exported: bool) {
        let with = |ident: &syn::Ident| [before, &[ident.to_string()]].concat();
        let (path, name) = match tree {
            syn::UseTree::Path(path) => {
                return self.add_use(&path.tree, &with(&path.ident), exported);
            }
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.add_use(tree, before, exported));
            }
            syn::UseTree::Glob(_) => (before.to_vec(), None),
            syn::UseTree::Name(name) if name.ident == "self" => (before.to_vec(), None),
            syn::UseTree::Name(name) => (with(&name.ident), Some(name.ident.to_string())),
            syn::UseTree::Rename(name) => (with(&name.ident), Some(name.rename.to_string())),
        };
        if let (true, Some(name), Some(origin)) = (exported, name, self.absolute(&path)) {
            self.module.exports.push((name, origin));
        }
        self.add(&path);
    }

    /// Collects the paths in the arguments of a macro, which are tokens without structure.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = vec![];
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if path.is_empty() || colons == 2 => {
                    path.push(ident.to_string());
                    colons = 0;
                    continue;
                }
                TokenTree::Punct(ref punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                _ => {}
            }
            self.end_of(&mut path);
            colons = 0;
        }
        self.end_of(&mut path);
    }

    /// Adds a path of tokens if it states that it is one of this crate.
    fn end_of(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if matches!(path.first().map(String::as_str), Some("crate" | "super")) {
            self.add(&path);
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// True once a `Result` with a `String` as its error was found.
struct StringErrors(bool);

impl<'ast> Visit<'ast> for StringErrors {
    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        if let syn::PathArguments::AngleBracketed(generics) = &segment.arguments
            && let (true, Some(syn::GenericArgument::Type(syn::Type::Path(error)))) =
                (segment.ident == "Result", generics.args.iter().nth(1))
        {
            self.0 |= error.path.is_ident("String");
        }
        visit::visit_path_segment(self, segment);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let (attributes, name) = match item {
            syn::Item::Mod(item) => (&item.attrs, None),
            syn::Item::Fn(item) => (&item.attrs, None),
            syn::Item::Impl(item) => (&item.attrs, None),
            syn::Item::Use(item) => (&item.attrs, None),
            syn::Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            syn::Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            syn::Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            syn::Item::Type(item) => (&item.attrs, Some(&item.ident)),
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            self.module.types.extend(name.map(ToString::to_string));
            self.item = name.map_or_else(String::new, ToString::to_string);
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let exported = !matches!(item.vis, syn::Visibility::Inherited);
        self.add_use(&item.tree, &[], exported);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.item = signature.ident.to_string();
        visit::visit_signature(self, signature);
    }

    /// Reads what functions, function pointers, callbacks and closures return.
    fn visit_return_type(&mut self, returned: &'ast syn::ReturnType) {
        let mut finder = StringErrors(false);
        finder.visit_return_type(returned);
        if finder.0 {
            self.module.string_errors.push(self.item.clone());
        }
        visit::visit_return_type(self, returned);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if matches!(parts[0].as_str(), "crate" | "super") {
            self.add(&parts);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.add_tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }

    /// Visibilities such as `pub(in crate::page)` import nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}
