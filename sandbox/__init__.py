"""What may run and how: permission, request, transport, classification, redaction."""
