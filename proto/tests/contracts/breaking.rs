//! What would break a caller built against the baseline, on the wire or in its JSON form: names, numbers, types,
//! cardinality, streaming. Adding breaks nothing; removing does unless number and name are reserved.

use std::collections::BTreeMap;

use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet, MethodDescriptorProto,
};

/// Every break of `old` by `new`, with the full name of what is broken.
pub fn breaks(old: &FileDescriptorSet, new: &FileDescriptorSet) -> Vec<String> {
    let (old, new) = (Index::of(old), Index::of(new));
    let mut breaks = Vec::new();
    for (name, message) in &old.messages {
        match new.messages.get(name) {
            Some(now) => message_breaks(name, message, now, &mut breaks),
            None => breaks.push(format!("{name}: message is gone")),
        }
    }
    for (name, kind) in &old.enums {
        match new.enums.get(name) {
            Some(now) => enum_breaks(name, kind, now, &mut breaks),
            None => breaks.push(format!("{name}: enum is gone")),
        }
    }
    for (name, method) in &old.methods {
        match new.methods.get(name) {
            Some(now) if same_call(method, now) => {}
            Some(_) => breaks.push(format!("{name}: messages or streaming changed")),
            None => breaks.push(format!("{name}: RPC is gone")),
        }
    }
    breaks
}

/// Everything by its full name.
#[derive(Default)]
struct Index<'a> {
    messages: BTreeMap<String, &'a DescriptorProto>,
    enums: BTreeMap<String, &'a EnumDescriptorProto>,
    methods: BTreeMap<String, &'a MethodDescriptorProto>,
}

impl<'a> Index<'a> {
    fn of(set: &'a FileDescriptorSet) -> Self {
        let mut index = Self::default();
        for file in &set.file {
            let package = file.package();
            file.message_type.iter().for_each(|message| index.message(package, message));
            index.enums.extend(file.enum_type.iter().map(|kind| (full(package, kind.name()), kind)));
            for service in &file.service {
                let service_name = full(package, service.name());
                index.methods.extend(service.method.iter().map(|method| (full(&service_name, method.name()), method)));
            }
        }
        index
    }

    fn message(&mut self, scope: &str, message: &'a DescriptorProto) {
        let name = full(scope, message.name());
        message.nested_type.iter().for_each(|nested| self.message(&name, nested));
        self.enums.extend(message.enum_type.iter().map(|kind| (full(&name, kind.name()), kind)));
        self.messages.insert(name, message);
    }
}

fn full(scope: &str, name: &str) -> String {
    format!("{scope}.{name}")
}

fn same_call(old: &MethodDescriptorProto, new: &MethodDescriptorProto) -> bool {
    let shape = |method: &MethodDescriptorProto| {
        (
            method.input_type().to_owned(),
            method.output_type().to_owned(),
            method.client_streaming(),
            method.server_streaming(),
        )
    };
    shape(old) == shape(new)
}

fn message_breaks(name: &str, old: &DescriptorProto, new: &DescriptorProto, breaks: &mut Vec<String>) {
    for field in &old.field {
        let field_name = full(name, field.name());
        match new.field.iter().find(|now| now.number() == field.number()) {
            Some(now) if meaning(old, field) == meaning(new, now) => {}
            Some(_) => breaks.push(format!("{field_name}: name, type, cardinality or oneof changed")),
            None if reserves(new, field) => {}
            None => breaks.push(format!("{field_name}: is gone, and number and name are not reserved")),
        }
    }
    for range in &old.reserved_range {
        let kept = (range.start()..range.end()).all(|number| reserved(new, number));
        if !kept {
            breaks.push(format!("{name}: {}..{} is no longer reserved", range.start(), range.end()));
        }
    }
}

/// All that a reader of the field relies on.
fn meaning(
    message: &DescriptorProto,
    field: &FieldDescriptorProto,
) -> (String, i32, i32, String, bool, Option<String>) {
    let choice = usize::try_from(field.oneof_index.unwrap_or(-1)).ok();
    let choice = choice.and_then(|index| message.oneof_decl.get(index)).map(|choice| choice.name().to_owned());
    (
        field.json_name().to_owned(),
        field.r#type.unwrap_or_default(),
        field.label.unwrap_or_default(),
        field.type_name().to_owned(),
        field.proto3_optional(),
        choice,
    )
}

fn reserved(message: &DescriptorProto, number: i32) -> bool {
    message.reserved_range.iter().any(|range| (range.start()..range.end()).contains(&number))
}

fn reserves(message: &DescriptorProto, field: &FieldDescriptorProto) -> bool {
    reserved(message, field.number()) && message.reserved_name.iter().any(|name| name == field.name())
}

fn enum_breaks(name: &str, old: &EnumDescriptorProto, new: &EnumDescriptorProto, breaks: &mut Vec<String>) {
    for value in &old.value {
        let same_number = new.value.iter().find(|now| now.number() == value.number());
        // Ranges of enums include their end, other than those of messages.
        let number_kept =
            new.reserved_range.iter().any(|range| (range.start()..=range.end()).contains(&value.number()));
        let name_kept = new.reserved_name.iter().any(|kept| kept == value.name());
        match same_number {
            Some(now) if now.name() == value.name() => {}
            Some(_) => breaks.push(format!("{}: name changed", full(name, value.name()))),
            None if number_kept && name_kept => {}
            None => breaks.push(format!("{}: is gone, and number and name are not reserved", full(name, value.name()))),
        }
    }
}

/// Compiles one file of contracts for a test.
pub fn compiled(text: &str) -> FileDescriptorSet {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("farside/demo/v1/demo.proto");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    let mut compiler = protox::Compiler::new([folder.path()]).unwrap();
    compiler.include_source_info(true).open_file(&file).unwrap();
    compiler.file_descriptor_set()
}

mod tests {
    use super::*;

    const OLD: &str = "
        service DemoService { rpc Get(Asked) returns (Asked); }
        message Asked { string one = 1; repeated int64 two = 2; oneof pick { bool three = 3; } reserved 9; }
        enum Kind { KIND_UNSPECIFIED = 0; KIND_ONE = 1; }";

    fn breaks_of(change: (&str, &str)) -> Vec<String> {
        assert!(OLD.contains(change.0), "{change:?}");
        let header = "syntax = \"proto3\"; package farside.demo.v1;";
        let new = OLD.replace(change.0, change.1);
        breaks(&compiled(&format!("{header}{OLD}")), &compiled(&format!("{header}{new}")))
    }

    #[test]
    fn additions_and_reserved_removals_break_nothing() {
        for change in [
            ("string one = 1;", "string one = 1; string more = 4;"),
            ("string one = 1;", "reserved 1; reserved \"one\";"),
            ("KIND_ONE = 1;", "KIND_ONE = 1; KIND_TWO = 2;"),
            ("KIND_ONE = 1;", "reserved 1; reserved \"KIND_ONE\";"),
            ("enum Kind", "message New {} enum Kind"),
        ] {
            assert_eq!(breaks_of(change), Vec::<String>::new(), "{change:?}");
        }
    }

    #[test]
    fn each_break_is_found_and_named() {
        for (change, name) in [
            (("string one = 1;", ""), "Asked.one"),
            (("string one = 1;", "string uno = 1;"), "Asked.one"),
            (("string one = 1;", "bytes one = 1;"), "Asked.one"),
            (("string one = 1;", "optional string one = 1;"), "Asked.one"),
            (("repeated int64 two", "int64 two"), "Asked.two"),
            (("oneof pick", "oneof other"), "Asked.three"),
            (("reserved 9;", ""), "Asked"),
            (("returns (Asked)", "returns (stream Asked)"), "DemoService.Get"),
            (("rpc Get(", "rpc Got("), "DemoService.Get"),
            (("KIND_ONE = 1;", "KIND_UNO = 1;"), "Kind.KIND_ONE"),
            (("KIND_ONE = 1;", ""), "Kind.KIND_ONE"),
            (("enum Kind {", "enum Sort { SORT_UNSPECIFIED = 0; } message Kind2 {} enum Kind3 {"), "Kind"),
        ] {
            let found = breaks_of(change);
            assert!(
                matches!(&found[..], [only] if only.starts_with(&format!("farside.demo.v1.{name}:"))),
                "{change:?}: {found:?}"
            );
        }
    }
}
