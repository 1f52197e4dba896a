import httpx
def seed(client): pass
