//! The conventions, after buf's standard rules: packages, names, a request and response of each RPC's own, zero
//! values, comments. It judges one set of contracts; comparing two is `breaking`'s work.

use std::collections::BTreeMap;

use prost_types::{
    DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet, ServiceDescriptorProto,
};

/// Paths into a file's descriptor, by the field numbers of `descriptor.proto`.
mod part {
    pub const MESSAGE: i32 = 4;
    pub const ENUM: i32 = 5;
    pub const SERVICE: i32 = 6;
    pub const FIELD_OF_MESSAGE: i32 = 2;
    pub const MESSAGE_OF_MESSAGE: i32 = 3;
    pub const ENUM_OF_MESSAGE: i32 = 4;
    pub const ONEOF_OF_MESSAGE: i32 = 8;
    pub const VALUE_OF_ENUM: i32 = 2;
    pub const METHOD_OF_SERVICE: i32 = 2;
}

/// Begin the names of RPCs that change nothing, or compute from their request alone.
const READING: [&str; 14] = [
    "Get", "List", "Watch", "Resolve", "Derive", "New", "Check", "Apply", "Replay", "Describe", "Analyze", "Choose",
    "Seal", "Verify",
];

/// RPCs without a `request_id` for a reason of their own.
const REPEATABLE: [&str; 3] = [
    // Says that now is now; to repeat it is its purpose.
    "farside.match.v1.MatchService.Beat",
    // Looks again; it posts nothing.
    "farside.ledger.v1.LedgerService.RunAudit",
    // Each of its postings carries the key.
    "farside.ledger.v1.LedgerService.Post",
];

/// Every fault, with the full name of what is at fault.
pub fn faults(set: &FileDescriptorSet) -> Vec<String> {
    let mut lint = Lint::default();
    let mut uses = BTreeMap::<&str, u32>::new();
    for method in set.file.iter().flat_map(|file| &file.service).flat_map(|service| &service.method) {
        *uses.entry(method.input_type()).or_default() += 1;
        *uses.entry(method.output_type()).or_default() += 1;
    }
    for file in &set.file {
        lint.file(file);
        for (index, service) in (0..).zip(&file.service) {
            lint.service(file, service, &[part::SERVICE, index], &uses);
        }
    }
    lint.faults
}

#[derive(Default)]
struct Lint {
    faults: Vec<String>,
    comments: BTreeMap<Vec<i32>, String>,
}

impl Lint {
    fn require(&mut self, holds: bool, name: &str, rule: &str) {
        if !holds {
            self.faults.push(format!("{name}: {rule}"));
        }
    }

    fn commented(&mut self, path: &[i32], name: &str) {
        let said = self.comments.get(path).is_some_and(|comment| !comment.trim().is_empty());
        self.require(said, name, "has no comment");
    }

    fn file(&mut self, file: &FileDescriptorProto) {
        let info = file.source_code_info.iter().flat_map(|info| &info.location);
        self.comments = info.map(|place| (place.path.clone(), place.leading_comments().to_owned())).collect();
        let package = file.package();
        self.require(file.syntax() == "proto3", file.name(), "is not proto3");
        self.require(versioned(package), package, "is not `farside.NAME.vN`");
        let folder = format!("{}/", package.replace('.', "/"));
        let directly = file.name().strip_prefix(&folder).is_some_and(|rest| !rest.contains('/'));
        self.require(directly, file.name(), "is not in the folder of its package");
        for (index, message) in (0..).zip(&file.message_type) {
            self.message(message, &[part::MESSAGE, index], package);
        }
        for (index, kind) in (0..).zip(&file.enum_type) {
            self.enumeration(kind, &[part::ENUM, index], package);
        }
    }

    fn message(&mut self, message: &DescriptorProto, path: &[i32], scope: &str) {
        // The entries of a map field are made by the compiler.
        if message.options.as_ref().is_some_and(|options| options.map_entry()) {
            return;
        }
        let name = format!("{scope}.{}", message.name());
        self.commented(path, &name);
        self.require(pascal(message.name()), &name, "is not in PascalCase");
        for (index, field) in (0..).zip(&message.field) {
            let field_name = format!("{name}.{}", field.name());
            self.commented(&join(path, part::FIELD_OF_MESSAGE, index), &field_name);
            self.require(snake(field.name()), &field_name, "is not in lower_snake_case");
        }
        for (index, choice) in (0..).zip(&message.oneof_decl) {
            // Behind an optional field stands a oneof that the compiler made.
            let made = message.field.iter().any(|field| field.proto3_optional() && field.oneof_index == Some(index));
            if !made {
                self.commented(&join(path, part::ONEOF_OF_MESSAGE, index), &format!("{name}.{}", choice.name()));
            }
        }
        for (index, nested) in (0..).zip(&message.nested_type) {
            self.message(nested, &join(path, part::MESSAGE_OF_MESSAGE, index), &name);
        }
        for (index, nested) in (0..).zip(&message.enum_type) {
            self.enumeration(nested, &join(path, part::ENUM_OF_MESSAGE, index), &name);
        }
    }

    fn enumeration(&mut self, kind: &EnumDescriptorProto, path: &[i32], scope: &str) {
        let name = format!("{scope}.{}", kind.name());
        self.commented(path, &name);
        self.require(pascal(kind.name()), &name, "is not in PascalCase");
        let prefix = format!("{}_", upper_snake(kind.name()));
        for (index, value) in (0..).zip(&kind.value) {
            let value_name = format!("{name}.{}", value.name());
            let unspecified = value.name() == format!("{prefix}UNSPECIFIED");
            self.require(value.name().starts_with(&prefix), &value_name, "lacks the enum's name as prefix");
            self.require(unspecified == (value.number() == 0), &value_name, "is not exactly zero = UNSPECIFIED");
            if !unspecified {
                self.commented(&join(path, part::VALUE_OF_ENUM, index), &value_name);
            }
        }
    }

    fn service(
        &mut self,
        file: &FileDescriptorProto,
        service: &ServiceDescriptorProto,
        path: &[i32],
        uses: &BTreeMap<&str, u32>,
    ) {
        let name = format!("{}.{}", file.package(), service.name());
        self.commented(path, &name);
        self.require(pascal(service.name()) && service.name().ends_with("Service"), &name, "is not named `…Service`");
        for (index, method) in (0..).zip(&service.method) {
            let method_name = format!("{name}.{}", method.name());
            self.commented(&join(path, part::METHOD_OF_SERVICE, index), &method_name);
            self.require(pascal(method.name()), &method_name, "is not in PascalCase");
            let own = |suffix: &str| format!(".{}.{}{suffix}", file.package(), method.name());
            self.require(method.input_type() == own("Request"), &method_name, "does not take its own request");
            self.require(method.output_type() == own("Response"), &method_name, "does not answer its own response");
            let alone = [method.input_type(), method.output_type()].iter().all(|kind| uses.get(kind) == Some(&1));
            self.require(alone, &method_name, "shares its request or response with another RPC");
            let reads = READING.iter().any(|verb| starts_with_word(method.name(), verb));
            let repeatable =
                reads || REPEATABLE.contains(&method_name.as_str()) || has_request_id(file, method.input_type());
            self.require(repeatable, &method_name, "changes something and has no `request_id`");
        }
    }
}

fn join(path: &[i32], part: i32, index: i32) -> Vec<i32> {
    [path, &[part, index]].concat()
}

fn has_request_id(file: &FileDescriptorProto, request: &str) -> bool {
    let message = file.message_type.iter().find(|message| request == format!(".{}.{}", file.package(), message.name()));
    message.is_some_and(|message| message.field.iter().any(|field| field.name() == "request_id"))
}

/// `farside.NAME.vN`.
fn versioned(package: &str) -> bool {
    let [product, name, version] = package.split('.').collect::<Vec<_>>()[..] else {
        return false;
    };
    let number = version.strip_prefix('v').and_then(|number| number.parse::<u32>().ok());
    product == "farside" && snake(name) && number.is_some_and(|number| number > 0)
}

fn pascal(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
}

fn snake(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
}

fn upper_snake(name: &str) -> String {
    let mut words = String::new();
    for (index, letter) in name.chars().enumerate() {
        if index > 0 && letter.is_ascii_uppercase() {
            words.push('_');
        }
        words.push(letter.to_ascii_uppercase());
    }
    words
}

fn starts_with_word(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_lowercase()))
}

mod tests {
    use super::*;

    fn compiled(body: &str) -> FileDescriptorSet {
        crate::breaking::compiled(&format!("syntax = \"proto3\";\npackage farside.demo.v1;\n{body}"))
    }

    #[test]
    fn a_contract_that_keeps_every_convention_has_no_fault() {
        let set = compiled(
            "// Says.\nservice DemoService {\n  // Gets.\n  rpc GetIt(GetItRequest) returns (GetItResponse);\n}\n\
             // Asks.\nmessage GetItRequest {}\n// Answers.\nmessage GetItResponse {\n  // A map.\n  map<string, string> all = 1;\n  \
             // May be.\n  optional string one = 2;\n}\n\
             // Kinds.\nenum Kind {\n  KIND_UNSPECIFIED = 0;\n  // One.\n  KIND_ONE = 1;\n}",
        );
        assert_eq!(faults(&set), Vec::<String>::new());
    }

    #[test]
    fn each_broken_convention_is_named() {
        let cases = [
            ("message Said {}", "farside.demo.v1.Said: has no comment"),
            (
                "// A.\nmessage Said {\n  // F.\n  string camelCase = 1;\n}",
                "farside.demo.v1.Said.camelCase: is not in lower_snake_case",
            ),
            ("// A.\nmessage Said {\n  string one = 1;\n}", "farside.demo.v1.Said.one: has no comment"),
            (
                "// A.\nmessage Said {\n  oneof what {\n    // F.\n    string one = 1;\n  }\n}",
                "farside.demo.v1.Said.what: has no comment",
            ),
            (
                "// A.\nenum Kind {\n  // Z.\n  KIND_NONE = 0;\n}",
                "farside.demo.v1.Kind.KIND_NONE: is not exactly zero = UNSPECIFIED",
            ),
            (
                "// A.\nenum Kind {\n  KIND_UNSPECIFIED = 0;\n  // O.\n  OTHER_ONE = 1;\n}",
                "farside.demo.v1.Kind.OTHER_ONE: lacks the enum's name as prefix",
            ),
            ("// A.\nservice Demo {}", "farside.demo.v1.Demo: is not named `…Service`"),
        ];
        for (body, fault) in cases {
            assert_eq!(faults(&compiled(body)), [fault], "{body}");
        }
    }

    #[test]
    fn each_rpc_has_messages_of_its_own_and_a_key_when_it_changes_something() {
        let set = compiled(
            "// Says.\nservice DemoService {\n  // Makes.\n  rpc Make(MakeRequest) returns (MakeResponse);\n  \
             // Makes too.\n  rpc MakeMore(MakeRequest) returns (MakeMoreResponse);\n}\n\
             // A.\nmessage MakeRequest {\n  // Key.\n  string request_id = 1;\n}\n// B.\nmessage MakeResponse {}\n// C.\nmessage MakeMoreResponse {}\n",
        );
        let service = "farside.demo.v1.DemoService";
        assert_eq!(
            faults(&set),
            [
                format!("{service}.Make: shares its request or response with another RPC"),
                format!("{service}.MakeMore: does not take its own request"),
                format!("{service}.MakeMore: shares its request or response with another RPC"),
            ]
        );
        let keyless = "// Says.\nservice DemoService {\n  // Makes.\n  rpc Make(MakeRequest) returns (MakeResponse);\n}\n\
                       // A.\nmessage MakeRequest {}\n// B.\nmessage MakeResponse {}";
        assert_eq!(faults(&compiled(keyless)), [format!("{service}.Make: changes something and has no `request_id`")]);
    }
}
