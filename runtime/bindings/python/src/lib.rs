//! The engine as a Python module. Every type here is a thin cover: `fieldstone.pyi` tells what each is for.

use bindings::{Engine, LookupTable};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};

pyo3::create_exception!(fieldstone, SchemaError, PyValueError);
pyo3::create_exception!(fieldstone, Rejected, PyValueError);

/// A text, or its bytes.
#[derive(FromPyObject)]
enum Body {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Body {
    fn bytes(&self) -> &[u8] {
        match self {
            Body::Text(text) => text.as_bytes(),
            Body::Bytes(bytes) => bytes,
        }
    }

    /// What must be text.
    fn text(&self) -> PyResult<&str> {
        let text = std::str::from_utf8(self.bytes());
        text.map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

#[pyclass(frozen)]
struct Checker(Engine);

#[pymethods]
impl Checker {
    #[new]
    fn new(schema: Body) -> PyResult<Self> {
        let engine = Engine::new(schema.text()?);
        engine.map(Checker).map_err(SchemaError::new_err)
    }

    #[pyo3(signature = (body, lookups = None))]
    fn check(
        &self,
        py: Python<'_>,
        body: Body,
        lookups: Option<&Bound<'_, Lookups>>,
    ) -> PyResult<Checked> {
        let table = lookups.map(|lookups| &lookups.get().0);
        let checked = py.detach(|| self.0.check(body.bytes(), table));
        checked
            .map(Checked)
            .map_err(|rejected| refused(py, &rejected))
    }

    #[pyo3(signature = (stored, change, lookups = None))]
    fn merge(
        &self,
        py: Python<'_>,
        stored: PyBackedStr,
        change: Body,
        lookups: Option<&Bound<'_, Lookups>>,
    ) -> PyResult<Checked> {
        let table = lookups.map(|lookups| &lookups.get().0);
        let checked = py.detach(|| self.0.merge(&stored, change.bytes(), table));
        checked
            .map(Checked)
            .map_err(|rejected| refused(py, &rejected))
    }

    #[pyo3(signature = (body, lookups = None))]
    fn is_clean(&self, py: Python<'_>, body: Body, lookups: Option<&Bound<'_, Lookups>>) -> bool {
        let table = lookups.map(|lookups| &lookups.get().0);
        py.detach(|| {
            let checked = self.0.check(body.bytes(), table);
            checked.is_ok_and(|checked| checked.is_clean())
        })
    }
}

#[pyclass(frozen)]
struct Lookups(LookupTable);

#[pymethods]
impl Lookups {
    #[new]
    fn new(table: Body) -> PyResult<Self> {
        let table = LookupTable::read(table.text()?);
        table.map(Lookups).map_err(PyValueError::new_err)
    }
}

#[pyclass(frozen)]
struct Checked(bindings::Checked);

#[pymethods]
impl Checked {
    #[getter]
    fn normal_form(&self) -> &str {
        self.0.normal_form()
    }

    #[getter]
    fn primary_key(&self) -> Option<&str> {
        self.0.primary_key()
    }

    #[getter]
    fn errors(&self) -> String {
        self.0.errors_json()
    }

    #[getter]
    fn faults(&self) -> Vec<Fault> {
        self.0.faults().iter().cloned().map(Fault).collect()
    }

    #[getter]
    fn is_clean(&self) -> bool {
        self.0.is_clean()
    }

    #[getter]
    fn is_fully_judged(&self) -> bool {
        self.0.is_fully_judged()
    }

    /// No value: some may be personally identifiable information.
    fn __repr__(&self) -> String {
        format!("<Checked: {} faults>", self.0.faults().len())
    }
}

#[pyclass(frozen)]
struct Fault(bindings::Fault);

#[pymethods]
impl Fault {
    #[getter]
    fn field(&self) -> &str {
        self.0.field()
    }

    #[getter]
    fn position(&self) -> Option<usize> {
        self.0.position()
    }

    #[getter]
    fn code(&self) -> &'static str {
        self.0.rule().code()
    }

    #[getter]
    fn offset(&self) -> Option<usize> {
        self.0.offset()
    }

    #[getter]
    fn text(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Fault: {:?} {}>", self.0.field(), self.0)
    }
}

#[pyclass(frozen)]
struct Rejection(bindings::Rejection);

#[pymethods]
impl Rejection {
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code.name()
    }

    #[getter]
    fn offset(&self) -> usize {
        self.0.offset
    }

    #[getter]
    fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        format!("<Rejection: {}>", self.0)
    }
}

/// The exception of a body that is refused, with its reasons.
fn refused(py: Python<'_>, rejected: &bindings::Rejected) -> PyErr {
    let error = Rejected::new_err(rejected.to_string());
    let items: Vec<Rejection> = rejected.items().iter().cloned().map(Rejection).collect();
    match error.value(py).setattr("items", items) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Records judged by their Fieldstone schema, as the server judges them.
#[pymodule]
mod fieldstone {
    #[pymodule_export]
    use super::{Checked, Checker, Fault, Lookups, Rejected, Rejection, SchemaError};
}
