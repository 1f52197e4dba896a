"""A technical college's network laboratory: exercises, who may open them, what they are made of."""

from collections.abc import Iterator

Row = dict[str, object]

OSPF = "3b7f2c10-5a41-4e0e-9d62-8c1f0a6e7711"
VLAN = "8e14d9a6-20c7-4b5b-a3f5-61d2b90c4f22"
EXAM = "c5209f3e-77b8-4d19-8f0a-2e9d4b6a1c33"
SLAAC = "1f6b83d4-9e2a-4c70-b7d1-5a3c08e2d944"
RETAKE = "da40e7b2-13c6-4f8d-95ab-70e6f1c9b855"
RACK = "77c1e5d0-4a2b-4f6e-8b93-0d5f6a7e2c66"

_ROUTER = "b0a9d2f4-6e13-4c58-8d27-9f4e1c3a5b01"
_FIREWALL = "5d8c4e21-0f7a-4b36-a1e9-7c2d6f8b3a02"
_SERVER = "e47f1b93-8a5c-4d02-b6f0-3e9a2c7d1f03"
_DESK = "29d6a8c5-4b1e-4f73-9c08-6a5f0e2b7d04"

PEOPLE = {
    "ingrid.solheim": ("41c0f6a8-2d3b-4e95-a7c1-8b5e9d0f1a10", "Ingrid Solheim", True),
    "tomasz.wrona": ("52d1a7b9-3e4c-4fa6-b8d2-9c6fae1b2b20", "Tomasz Wrona", True),
    "amara.diallo": ("63e2b8ca-4f5d-40b7-89e3-ad70bf2c3c30", "Amara Diallo", True),
    "li.wen": ("74f3c9db-506e-41c8-9af4-be81c03d4d40", "Li Wen", True),
    "jonas.berg": ("8504daec-617f-42d9-ab05-cf92d14e5e50", "Jonas Berg", False),
}
GROUPS = {
    "Lab staff": ("96a5ebfd-7280-43ea-bc16-d0a3e25f6f60", ("ingrid.solheim", "tomasz.wrona")),
    "Second year": (
        "a7b6fc0e-8391-44fb-8d27-e1b4f3607a70",
        ("amara.diallo", "li.wen", "jonas.berg"),
    ),
}
ROLE = ("b8c70d1f-94a2-450c-9e38-f2c504718b80", "Exam candidate", "May open a lab, not change it")
RIGHTS = ("Project.Audit", "Node.Audit", "Node.PowerMgmt", "Node.Console", "Link.Audit")
ACL = (
    ("c9d81e20-a5b3-461d-af49-03d615829c90", "/projects", "Lab staff", "Administrator"),
    ("dae92f31-b6c4-472e-805a-14e72693ada0", f"/projects/{EXAM}", "Second year", "Exam candidate"),
    ("ebfa3042-c7d5-483f-916b-25f837a4beb0", f"/projects/{OSPF}", "Second year", "User"),
    ("fc0b4153-d8e6-4940-a27c-3609a8b5cfc0", "/templates", "tomasz.wrona", "Template manager"),
)
POOLS = {
    "Examinations": ("0d1c5264-e9f7-4a51-b38d-471ab9c6d0d0", (EXAM, RETAKE)),
    "Open practice": ("1e2d6375-fa08-4b62-849e-582bcad7e1e0", (OSPF, VLAN, SLAAC)),
}
IMAGES = (
    ("vyos-1.4.2-amd64.qcow2", "qemu", 536870912, "8d2f1c7be0a94653b7c5d1e9f0a28314"),
    ("opnsense-25.7-nano.qcow2", "qemu", 3221225472, "1f0e9d8c7b6a594837261504f3e2d1c0"),
    ("debian-12-lab.qcow2", "qemu", 2147483648, "a3b4c5d6e7f8091a2b3c4d5e6f708192"),
    ("c3725-adventerprisek9.image", "ios", 98304000, "0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
)
_GUEST: Row = {"default_name_format": "{name}-{0}", "compute_id": "local", "builtin": False}
TEMPLATES: tuple[tuple[str, Row], ...] = (
    ("QemuTemplate", _GUEST | {"template_id": _ROUTER, "name": "VyOS router", "version": "1.4.2",
        "category": "router", "symbol": "router", "template_type": "qemu", "ram": 512, "cpus": 1,
        "adapters": 4, "hda_disk_image": "vyos-1.4.2-amd64.qcow2", "console_type": "telnet",
        "usage": "Log in as vyos / vyos; type 'configure' first."}),
    ("QemuTemplate", _GUEST | {"template_id": _FIREWALL, "name": "OPNsense", "version": "25.7",
        "category": "firewall", "symbol": "firewall", "template_type": "qemu", "ram": 2048,
        "cpus": 2, "adapters": 3, "hda_disk_image": "opnsense-25.7-nano.qcow2",
        "console_type": "vnc", "usage": "The web pages answer on the LAN side at 192.168.1.1."}),
    ("QemuTemplate", _GUEST | {"template_id": _SERVER, "name": "Debian server", "version": "12",
        "category": "guest", "symbol": "server", "template_type": "qemu", "ram": 1024, "cpus": 1,
        "adapters": 1, "hda_disk_image": "debian-12-lab.qcow2", "console_type": "telnet",
        "usage": "student / labwork"}),
    ("VPCSTemplate", _GUEST | {"template_id": _DESK, "name": "Classroom PC", "version": "",
        "category": "guest", "symbol": "vpcs_guest", "template_type": "vpcs",
        "base_script_file": "vpcs_base_config.txt", "console_type": "telnet", "usage": ""}),
)  # fmt: skip
APPLIANCES: Row = {
    "frr": ("2f3e7486-0b19-4c73-95af-693cdbe8f2f0", "FRRouting", "router", "FRR community",
            "A suite of routing protocols: BGP, OSPF, IS-IS, RIP."),
    "mikrotik-chr": ("304f8597-1c2a-4d84-a6b0-7a4decf90301", "MikroTik CHR", "router", "MikroTik",
            "RouterOS as a virtual machine."),
    "ostinato": ("41509608-2d3b-4e95-b7c1-8b5efd0a1412", "Ostinato", "guest", "Ostinato",
            "Makes and measures packets."),
}  # fmt: skip
_LABS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    OSPF: (
        "OSPF in three areas",
        ("R1 router", "R2 router", "R3 router", "SW1 switch", "PC1 desk", "PC2 desk"),
        ("R1 R2", "R2 R3", "R1 SW1", "SW1 PC1", "R3 PC2"),
        ("Area 0", "Area 1: 10.1.0.0/16", "Area 2: 10.2.0.0/16"),
    ),
    VLAN: (
        "VLANs and trunks",
        ("SW-A switch", "SW-B switch", "PC10 desk", "PC20 desk", "PC30 desk", "Core router"),
        ("SW-A SW-B", "SW-A PC10", "SW-A PC20", "SW-B PC30", "SW-A Core"),
        ("VLAN 10 red, VLAN 20 blue", "Trunk: native VLAN 99"),
    ),
    EXAM: (
        "Exam 2026: firewall",
        ("FW1 firewall", "Web server", "DNS server", "Inside switch", "Student desk"),
        ("FW1 Inside", "Inside Student", "FW1 Web", "FW1 DNS"),
        ("DMZ 172.16.5.0/24", "90 minutes, no internet"),
    ),
    SLAAC: (
        "IPv6 without DHCP",
        ("Gate router", "Hall switch", "PC-A desk", "PC-B desk"),
        ("Gate Hall", "Hall PC-A", "Hall PC-B"),
        ("2001:db8:5::/64",),
    ),
    RETAKE: (
        "Exam 2026: firewall, retake",
        ("FW1 firewall", "Mail server", "Student desk"),
        ("FW1 Mail", "FW1 Student"),
        ("DMZ 172.16.9.0/24",),
    ),
}
FILES = {
    OSPF: {
        "README.txt": "Bring all three areas up. Cost of R1-R2 is 10, of R2-R3 is 40.\n",
        "answers/areas.md": "PC1 reaches PC2 by R1, R2, R3. R2 is the border router.\n",
    },
    VLAN: {"README.txt": "PC10 and PC30 share VLAN 10, PC20 is alone in VLAN 20.\n"},
    EXAM: {
        "README.txt": "Let the inside reach Web on 443 and DNS on 53, and nothing else.\n",
        "marking.csv": "task,points\nnat,10\nrules,25\nlogging,5\n",
    },
    SLAAC: {"README.txt": "Turn router advertisements on at Gate and watch PC-A.\n"},
    RETAKE: {"README.txt": "As the exam, with Mail on 587 in place of Web.\n"},
}
SNAPSHOTS = {
    OSPF: ("empty routers_090926_081500", "areas done_160926_101200"),
    EXAM: ("as handed out_121126_070000", "Amara after an hour_131126_103000"),
}
_KINDS = {
    "router": ("qemu", _ROUTER, "router", "telnet"),
    "firewall": ("qemu", _FIREWALL, "firewall", "vnc"),
    "server": ("qemu", _SERVER, "server", "telnet"),
    "desk": ("vpcs", _DESK, "vpcs_guest", "telnet"),
    "switch": ("ethernet_switch", None, "ethernet_switch", "none"),
}


def part(lab: str, kind: int, number: int) -> str:
    """The id of a node (1), a link (2) or a drawing (3) of a lab."""
    return f"{lab[:24]}{kind:04x}{number:08x}"


def labs() -> Iterator[tuple[str, str, Row]]:
    """Each lab's id and name, and its file."""
    for lab, (name, nodes, links, words) in _LABS.items():
        names = [node.split()[0] for node in nodes]
        yield lab, name, {
            "project_id": lab, "name": name, "type": "topology", "revision": 10,
            "version": "3.0.6", "auto_start": False, "auto_open": False, "auto_close": True,
            "scene_width": 2000, "scene_height": 1000, "zoom": 100, "show_grid": lab == VLAN,
            "supplier": None, "variables": [{"name": "teacher", "value": "Ingrid Solheim"}],
            "topology": {
                "computes": [],
                "nodes": [_node(lab, number, node) for number, node in enumerate(nodes)],
                "links": [_link(lab, names, number, link) for number, link in enumerate(links)],
                "drawings": [
                    {"drawing_id": part(lab, 3, number), "x": -300, "y": 60 * number, "z": 2,
                     "rotation": 0, "locked": False,
                     "svg": f'<svg width="240" height="30"><text>{text}</text></svg>'}
                    for number, text in enumerate(words)
                ],
            },
        }  # fmt: skip


def _node(lab: str, number: int, words: str) -> Row:
    name, kind = words.split()
    sort, template, symbol, console = _KINDS[kind]
    return {
        "node_id": part(lab, 1, number), "name": name, "node_type": sort, "compute_id": "local",
        "template_id": template, "symbol": symbol, "console_type": console,
        "console": None if console == "none" else 5000 + number,
        "x": 150 * number - 300, "y": -120 if kind == "router" else 40, "z": 1,
        "locked": False, "properties": {}, "port_name_format": "Ethernet{0}",
    }  # fmt: skip


def _link(lab: str, names: list[str], number: int, words: str) -> Row:
    ends = [part(lab, 1, names.index(name)) for name in words.split()]
    slow = {"delay": [80, 5], "packet_loss": [2]} if words == "R2 R3" else {}
    return {
        "link_id": part(lab, 2, number), "link_type": "ethernet", "suspend": False,
        "filters": slow, "link_style": {},
        "nodes": [
            {"node_id": end, "adapter_number": 0, "port_number": (number + side) % 4}
            for side, end in enumerate(ends)
        ],
    }  # fmt: skip
