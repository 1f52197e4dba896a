"""First step of a trial: the intended call or the refusal, by rule or by a model."""
