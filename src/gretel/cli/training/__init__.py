"""Commands of `gretel train` that fill a file, and what they all ask for."""
