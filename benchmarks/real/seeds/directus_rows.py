KEY = "museum-token-of-the-benchmark"
def seed(client): pass
