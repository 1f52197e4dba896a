"""Which calls are allowed: policy (allow list, safe tools), side effects, user approval."""
