"""What a survey office downloads: packages, their links, users and settings."""

TABLES = """
CREATE TABLE packages (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, folder TEXT,
  password TEXT DEFAULT "", site TEXT DEFAULT "", queue INTEGER DEFAULT 0 NOT NULL,
  packageorder INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE links (id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, name TEXT,
  size INTEGER DEFAULT 0 NOT NULL, status INTEGER DEFAULT 3 NOT NULL,
  plugin TEXT DEFAULT "DefaultPlugin" NOT NULL, error TEXT DEFAULT "",
  linkorder INTEGER DEFAULT 0 NOT NULL, package INTEGER DEFAULT 0 NOT NULL,
  FOREIGN KEY(package) REFERENCES packages(id));
CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
  email TEXT DEFAULT "" NOT NULL, password TEXT NOT NULL, role INTEGER DEFAULT 0 NOT NULL,
  permission INTEGER DEFAULT 0 NOT NULL, template TEXT DEFAULT "default" NOT NULL);
CREATE TABLE apikeys (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, expires_at INTEGER,
  last_used INTEGER, FOREIGN KEY(user_id) REFERENCES users(id) ON DELETE CASCADE);
"""
"""As pyLoad makes them; what else it has it adds at its start."""

SETTINGS = """version: 2

download - "Download":
	int chunks : "Maximum connections for one download" = 3
	time end_time : "End time" = 6:00
	bool limit_speed : "Limit download speed" = True
	int max_downloads : "Maximum parallel downloads" = 2
	int max_speed : "Maximum download speed in KiB/s" = 2048
	time start_time : "Start time" = 1:30

general - "General":
	bool folder_per_package : "Create folder for each package" = True
	int min_free_space : "Minimum free space in MiB" = 5120
	folder storage_folder : "Download folder" = {folder}

proxy - "Proxy":
	bool enabled : "Activated" = False
	ip host : "IP address" = proxy.survey-office.example
	int port : "Port" = 3128

webui - "Web Interface":
	bool enabled : "Activated" = True
	ip host : "IP address" = 127.0.0.1
	int port : "Port" = {port}
"""
PLUGINS = """version: 2

UpdateManager - "UpdateManager":
	bool enabled : "Activated" = False
"""

USERS = (  # name, password, mail, role (0 is an administrator), rights
    ("margit", "larch-and-level", "margit@survey-office.example", 0, 0),
    ("jonas", "theodolite-17", "jonas@survey-office.example", 1, 4 + 16),
    ("kiosk", "reading-room", "", 1, 16),
)

QUEUED = (4, 5)
"""Packages that go from the collector into the queue once all is held back."""

PACKAGES = (  # id, name, folder, site, in the queue, order
    (1, "Shoreline LiDAR 2025", "lidar-2025", "", 1, 0),
    (2, "Aerial photos 1968", "aerial-1968", "", 1, 1),
    (3, "Geoid models", "geoid", "", 0, 0),
    (4, "Parcel maps north", "parcels-north", "", 0, 1),
    (5, "Tide tables 2027", "tides-2027", "", 0, 2),
    (6, "Training videos", "training", "", 0, 3),
)

FINISHED, OFFLINE, QUEUED_UP, FAILED = 0, 1, 3, 8
TILES = "http://tiles.survey-office.example"
LINKS = (  # id, address, name, bytes, status, plugin, error, order, package
    (1, f"{TILES}/l/n01.laz", "n01.laz", 734003200, FINISHED, "Http", "", 0, 1),
    (2, f"{TILES}/l/n02.laz", "n02.laz", 691011584, FINISHED, "Http", "", 1, 1),
    (3, f"{TILES}/l/n03.laz", "n03.laz", 702545920, FAILED, "Http", "Checksum mismatch", 2, 1),
    (4, f"{TILES}/l/n04.laz", "n04.laz", 0, OFFLINE, "Http", "File not found", 3, 1),
    (5, f"{TILES}/a/1968-07.zip", "1968-07.zip", 2147483648, FINISHED, "Http", "", 0, 2),
    (6, f"{TILES}/a/1968-08.zip", "1968-08.zip", 1879048192, FAILED, "Http", "Timed out", 1, 2),
    (7, f"{TILES}/g/geoid-a.gtx", "geoid-a.gtx", 18874368, QUEUED_UP, "Http", "", 0, 3),
    (8, f"{TILES}/g/geoid-b.gtx", "geoid-b.gtx", 20971520, QUEUED_UP, "Http", "", 1, 3),
    (9, f"{TILES}/p/north-1.gpkg", "north-1.gpkg", 314572800, QUEUED_UP, "Http", "", 0, 4),
    (10, f"{TILES}/p/north-2.gpkg", "north-2.gpkg", 287309824, QUEUED_UP, "Http", "", 1, 4),
    (11, f"{TILES}/p/north-3.gpkg", "north-3.gpkg", 301989888, QUEUED_UP, "Http", "", 2, 4),
    (12, f"{TILES}/t/2027.csv", "2027.csv", 1048576, QUEUED_UP, "Http", "", 0, 5),
    (13, f"{TILES}/v/levelling.mp4", "levelling.mp4", 524288000, QUEUED_UP, "Http", "", 0, 6),
    (14, f"{TILES}/v/total-station.mp4", "total-station.mp4", 612368384, OFFLINE, "Http",
     "File not found", 1, 6),
)  # fmt: skip
