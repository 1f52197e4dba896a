"""What may run and how: policy, request, transport, classification, redaction."""
