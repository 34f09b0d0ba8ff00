//! Forms: what a browser posts, the fields of a page, and faults beside the field that they are about.
//!
//! A form that is refused is shown again with everything that was typed. Not here: what is right, which the API's own
//! checks say; this only finds the field that a [`Problem`] is about.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;

use super::words;
use crate::api::extract::{BODY_BYTES, collect};
use crate::app::SharedApp;
use crate::problem::{Code, Problem};

/// What a form is sent as.
const FORM_TYPE: &str = "application/x-www-form-urlencoded";

/// What was posted, or typed before: fields by name, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(BTreeMap<String, String>);

impl Fields {
    /// Fields in the order in which a browser writes them; of equal names the last one counts.
    pub(crate) fn parse(text: &[u8]) -> Self {
        Self(form_urlencoded::parse(text).into_owned().collect())
    }

    /// A field without the space around it; empty when it was left out.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |value| value.trim())
    }

    /// A field that was filled in.
    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        Some(self.get(name)).filter(|value| !value.is_empty())
    }

    /// Whether a box was ticked.
    pub(crate) fn is_ticked(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// An integer that was filled in.
    ///
    /// # Errors
    ///
    /// `malformed_request` at this field when it is none.
    pub(crate) fn integer(&self, name: &str) -> Result<Option<i64>, Problem> {
        let parse = |text: &str| text.parse().map_err(|_| Problem::malformed(format!("/{name}"), "a whole number"));
        self.given(name).map(parse).transpose()
    }
}

impl FromRequest<SharedApp> for Fields {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &SharedApp) -> Result<Self, Problem> {
        let sent_as = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !sent_as.starts_with(FORM_TYPE) {
            return Err(Problem::malformed("", format!("a form is sent as {FORM_TYPE}")));
        }
        let fields = Self::parse(&collect(request, BODY_BYTES).await?);
        if fields.0.values().any(|value| value.contains('\0')) {
            return Err(Problem::malformed("", "NUL is in no field"));
        }
        Ok(fields)
    }
}

/// What is wrong with a form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    fields: BTreeMap<String, String>,
    /// What is about no field of its own.
    pub general: Option<String>,
}

impl Faults {
    /// The status of a refusal, and what to say beside which of the form's fields.
    pub(crate) fn of(problem: Problem, names: &[&str]) -> (StatusCode, Self) {
        let (status, place) = (problem.status(), place(problem.code()));
        let body = problem.into_body();
        let mut faults = Self::default();
        for error in body.errors {
            faults.add(&error.pointer.trim_start_matches('/').replace('/', "."), &error.detail, names);
        }
        if faults.fields.is_empty() && faults.general.is_none() {
            faults.add(place, &body.detail, names);
        }
        (status, faults)
    }

    fn add(&mut self, name: &str, detail: &str, names: &[&str]) {
        let detail = words::sentence(detail);
        let is_about =
            |field: &&&str| name.strip_prefix(**field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        if let Some(field) = names.iter().find(is_about) {
            self.fields.entry((*field).to_owned()).or_insert(detail);
        } else {
            let general = self.general.take().map_or_else(String::new, |before| before + " ");
            let about = if name.is_empty() { String::new() } else { format!("{name}: ") };
            self.general = Some(general + &about + &detail);
        }
    }
}

/// The field that a refusal without a pointer is about, where there can be only one.
fn place(code: Code) -> &'static str {
    match code {
        Code::NameTaken => "name",
        Code::StakeOutOfRange | Code::StakeAboveMax | Code::InsufficientBalance => "stake",
        Code::Unauthenticated => "key",
        _ => "",
    }
}

/// What a field is filled in with.
#[derive(Clone, Debug)]
pub(crate) enum Control {
    /// A line of text, with the most characters that it takes.
    Line(usize),
    /// A key.
    Secret,
    /// A whole number within a range.
    Number(i64, i64),
    /// One of several: value and label.
    Choice(Vec<(String, String)>),
    /// Several lines of text, with the most characters that they take.
    Lines(usize),
}

/// A labelled field with its hint and its fault.
#[derive(Clone, Debug, Template)]
#[template(path = "field.html")]
pub(crate) struct Field {
    name: String,
    label: String,
    hint: String,
    value: String,
    fault: Option<String>,
    control: Control,
    is_needed: bool,
}

impl Field {
    /// An empty field.
    pub(crate) fn new(name: &str, label: &str, control: Control) -> Self {
        let (hint, value) = (String::new(), String::new());
        Self { name: name.to_owned(), label: label.to_owned(), hint, value, fault: None, control, is_needed: false }
    }

    /// With a hint below the label.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: hint.into(), ..self }
    }

    /// With a value in it.
    pub(crate) fn value(self, value: impl Into<String>) -> Self {
        Self { value: value.into(), ..self }
    }

    /// One that has to be filled in.
    pub(crate) fn needed(self) -> Self {
        Self { is_needed: true, ..self }
    }

    /// As it was sent, with what is wrong with it.
    pub(crate) fn again(self, fields: &Fields, faults: &Faults) -> Self {
        let value = fields.0.get(&self.name).cloned().unwrap_or(self.value);
        let fault = faults.fields.get(&self.name).cloned();
        Self { value, fault, ..self }
    }

    /// An id that is unique on the page.
    fn id(&self) -> String {
        format!("field-{}", self.name.replace('.', "-"))
    }

    /// What describes it, for the attribute of that name.
    fn described_by(&self) -> String {
        let hint = (!self.hint.is_empty()).then(|| format!("{}-hint", self.id()));
        let fault = self.fault.is_some().then(|| format!("{}-fault", self.id()));
        hint.into_iter().chain(fault).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_stands_beside_the_field_that_it_is_about() {
        let (status, faults) = Faults::of(Problem::new(Code::NameTaken, "the name is taken"), &["name"]);
        assert_eq!((status, faults.fields["name"].as_str()), (StatusCode::CONFLICT, "The name is taken."));
        let (_, faults) = Faults::of(Problem::malformed("/options/size", "from 6 to 12"), &["options.size"]);
        assert_eq!(faults.fields["options.size"], "From 6 to 12.");
        let (_, faults) = Faults::of(Problem::malformed("/stake/amount", "too low"), &["stake"]);
        assert_eq!(faults.fields["stake"], "Too low.", "a part of a field is about the field");
        let (_, faults) = Faults::of(Problem::malformed("/options/size", "from 6 to 12"), &["name"]);
        assert_eq!(faults.general.as_deref(), Some("options.size: From 6 to 12."));
    }

    #[test]
    fn a_refused_form_keeps_what_was_typed_and_escapes_it() {
        let fields = Fields::parse(b"name=%3Cb%3E+x&other=1");
        let (_, faults) = Faults::of(Problem::malformed("/name", "letters only"), &["name"]);
        let html = Field::new("name", "Name", Control::Line(32)).again(&fields, &faults).render().unwrap();
        assert!(html.contains("Letters only.") && html.contains("aria-invalid") && !html.contains("<b>"), "{html}");
        assert!(html.contains("&#60;b&#62; x") || html.contains("&lt;b&gt; x"), "{html}");
    }
}
