"""What all trainings of a language model share: what learns, and adapters."""
