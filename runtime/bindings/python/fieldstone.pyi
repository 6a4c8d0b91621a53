"""Records judged by their Fieldstone schema, as the server judges them."""

from typing import Optional, Union

class SchemaError(ValueError):
    """The text is no schema, or one that contradicts itself: every reason, with its place."""

class Rejected(ValueError):
    """A body that is no flat JSON object of the schema's active fields. Nothing of it was judged."""

    items: list[Rejection]

class Rejection:
    """A reason why a body is refused as a whole."""

    @property
    def code(self) -> str: ...
    @property
    def offset(self) -> int:
        """In bytes, from the beginning of the body."""
    @property
    def name(self) -> Optional[str]:
        """The key or field that it is about, where there is one."""
    @property
    def text(self) -> str: ...

class Fault:
    """What is wrong with a value. It never holds the value."""

    @property
    def field(self) -> str: ...
    @property
    def position(self) -> Optional[int]:
        """Of a value among several, from 1."""
    @property
    def code(self) -> str:
        """The rule that was broken."""
    @property
    def offset(self) -> Optional[int]:
        """In bytes, from the beginning of the body; none for a value that is missing or was stored."""
    @property
    def text(self) -> str: ...

class Checked:
    """A judged record."""

    @property
    def normal_form(self) -> str:
        """The JSON text as it is stored: every active field in the schema's order."""
    @property
    def primary_key(self) -> Optional[str]: ...
    @property
    def errors(self) -> str:
        """`_errors`, as JSON text."""
    @property
    def faults(self) -> list[Fault]: ...
    @property
    def is_clean(self) -> bool: ...
    @property
    def is_fully_judged(self) -> bool:
        """False where a value needed look-ups that were not given."""

class Lookups:
    """What is known outside the schema, from JSON: `domains` (codes by domain id) and `files` (facts by reference)."""

    def __new__(cls, table: Union[str, bytes]) -> Lookups: ...

class Checker:
    """Judges records of one schema."""

    def __new__(cls, schema: Union[str, bytes]) -> Checker: ...
    def check(self, body: Union[str, bytes], lookups: Optional[Lookups] = None) -> Checked:
        """Judges the body of a new record."""
    def merge(self, stored: str, change: Union[str, bytes], lookups: Optional[Lookups] = None) -> Checked:
        """Judges a change of a stored record: what it leaves out stays, `null` clears."""
    def is_clean(self, body: Union[str, bytes], lookups: Optional[Lookups] = None) -> bool:
        """Whether a record has no fault; a body that would be refused is not clean."""
