"""One file a node, State to partial State; strategies beside them."""
