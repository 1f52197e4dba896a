"""What all trainings of a language model share: the loop, adapters, settings."""
