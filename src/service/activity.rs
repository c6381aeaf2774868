//! What happens in the workspace of the demo.
