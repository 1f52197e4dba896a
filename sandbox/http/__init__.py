"""One call over HTTP: built, sent within limits, its answer handed on to be judged."""
