"""What is learnt from: public collections, real services, written requests."""
