"""What a model is good for, measured step by step on judged requests."""
