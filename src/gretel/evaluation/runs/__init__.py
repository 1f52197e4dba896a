"""Batches of judged requests through pipelines: resumable, sharded, counted whole."""
