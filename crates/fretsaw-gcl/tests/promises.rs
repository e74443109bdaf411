//! Promises to users, one file each. They are one program, because linking many takes longer than running them.

mod connection_graph;
mod quadratic_assignment;
mod rotations;
mod the_papers_method;
mod turns_of_type_two;
mod type_three;
