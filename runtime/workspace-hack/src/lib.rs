//! No code: the third-party features that every selection of the workspace shares. See `.ci/feature_set`.
