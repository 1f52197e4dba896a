"""The data set of our own, and as many threads after a test as before."""

from training_fixtures import one_thread as one_thread
from training_fixtures import written as written
