"""State, context, routing, the trial subgraph, the whole graph, and the facade."""
