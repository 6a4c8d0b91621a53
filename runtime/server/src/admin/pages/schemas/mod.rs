//! Pages of schemas: listed, shown with what each field asks of its values, made, edited, compared and taken along. What a
//! change would do is shown before it is saved. Whether a document holds, the service says.
//!
//! | room | what it is for |
//! | - | - |
//! | `list`, `show` | all schemas; one with its datasets and versions |
//! | `head` | what each of its pages begins with, and who may do what there |
//! | `words` | a field's rules, and differences of schemas, in the reader's language |
//! | `downloads` | a schema as files of other kinds |
//! | `document` | a document while it is edited, whatever stands in it |
//! | `long_lists`, `stored_fields` | long lists of codes, and many fields, in the document that a page carries |
//! | `inputs`, `pairs`, `codes` | the inputs of one field, a property each; of many codes, a part |
//! | `editor_state` | what the form of the editor holds, and what its buttons do |
//! | `field_rows` | its fields, a line each; of many a part |
//! | `editor` | the page on which it is edited |
//! | `live` | what of it is told again while one types |
//! | `judged` | what the service says of one before it is saved |
//! | `trying` | values tried under it |
//! | `begin`, `sample` | where a new one begins; one that is proposed from a file |
//! | `review`, `versions` | what a change means, before it is saved and afterwards |
//! | `save` | saving it, and what is shown where that is refused |

pub(super) mod begin;
mod codes;
mod document;
pub(super) mod downloads;
pub(super) mod editor;
mod editor_state;
mod field_rows;
mod head;
mod inputs;
mod judged;
pub(super) mod list;
mod live;
mod long_lists;
mod pairs;
pub(super) mod review;
pub(super) mod sample;
pub(super) mod save;
pub(super) mod show;
mod stored_fields;
mod trying;
pub(super) mod versions;
mod words;
