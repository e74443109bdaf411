//! The native part.
