"""One call over HTTP: built, sent within bounds, handed to judgement."""
