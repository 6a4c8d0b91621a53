//! What contradicts in a schema, by code, where the interface names properties, types and places and the editor of a schema shows
//! names of its own for them; all others are told in the words of the interface.

pub(super) const CONTRADICTIONS: &[(&str, &str)] = &[
    (
        "field_id_twice",
        "the id {0} is that of field {n1} too; give each field an id of its own",
    ),
    (
        "name_twice",
        "the name {0} is that of the active field {n1} too; rename one of them or make it inactive",
    ),
    (
        "key_twice",
        "this is the second primary key, after field {n0}; keep one active primary key",
    ),
    (
        "key_file",
        "a primary key can't be a file ({t0}); choose a field with text or a number",
    ),
    (
        "setting_foreign",
        "“{p0}” means nothing for the type “{t1}”; leave it empty or choose another type",
    ),
    (
        "sort_key_unordered",
        "values of the type “{t0}” have no order, so nothing can be sorted by this sort key; take its tick away",
    ),
    (
        "rule_foreign",
        "`alphanumeric` means nothing for the type “{t0}”; it judges texts only, so take it away",
    ),
    (
        "picklist_type_missing",
        "the picklist does not say where its codes come from; choose its list or a data domain",
    ),
    (
        "codes_missing",
        "the picklist has no codes; write some into its list",
    ),
    (
        "domain_of_static",
        "a data domain means nothing where the codes come from the list; choose none",
    ),
    (
        "domain_missing",
        "the picklist names no data domain; choose the one that holds its codes",
    ),
    (
        "codes_of_dynamic",
        "the list of codes means nothing where they come from a data domain; leave it empty",
    ),
    (
        "code_twice",
        "the code {0} is that of line {n1} of the list too; keep one of them",
    ),
    (
        "bound_not_number",
        "the bound {0} is not a number; write one",
    ),
    (
        "bounds_crossed",
        "the minimum {0} is above the maximum {1}; exchange them or leave one of them empty",
    ),
    (
        "min_above_type",
        "the minimum {0} is above the maximum of the type itself, {1}; change it or leave it empty",
    ),
    (
        "max_below_type",
        "the maximum {1} is below the minimum of the type itself, {0}; change it or leave it empty",
    ),
    (
        "bound_number",
        "the bound {0} is a number, not a text like {1}; write it like a value of the field, or in ISO form",
    ),
    (
        "bound_shape",
        "the bound {0} is not written as {1}; write it like a value of the field, or in ISO form",
    ),
];
