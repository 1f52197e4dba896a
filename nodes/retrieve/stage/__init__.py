"""The candidate stage around any retriever: parts of a request, toolkits, pins, flood guard."""
