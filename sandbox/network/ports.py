"""Ports that may be called: where web servers listen, and where other services never do."""

WEB_PORTS = frozenset({80, 443, 8080, 8443})
"""All that a document may open by naming its own server (`declared`)."""

_FIRST_FREE = 1024

_SERVICES = frozenset(
    {
        *(1433, 1434, 1521, 3306, 5432, 5984, 6379, 9042, 9200, 9300, 11211),  # databases, caches
        *(27017, 27018, 27019),
        *(1883, 4222, 5672, 8883, 9092),  # queues
        *(2181, 2379, 2380, 4369, 8500),  # registries
        *(2375, 2376, 6443, 10250, 10255),  # Docker, Kubernetes
        *(2049, 3389, 5900, 6000),  # files and screens
        *(1080, 3128),  # proxies
        *(1719, 1720, 1723, 3659, 4045, 4190, 5060, 5061, 6566, 6679, 6697, 10080),
        *range(6665, 6670),
    }
)
"""Ports above 1023 of services that a stray request may harm or that answer to anyone; the last
two lines are what browsers block (Fetch standard, "bad port")."""


def may_serve_web(port: int) -> bool:
    """Whether a bare host opens `port`: 80, 443, and free ports that no known service owns."""
    return port in WEB_PORTS or (port >= _FIRST_FREE and port not in _SERVICES)
