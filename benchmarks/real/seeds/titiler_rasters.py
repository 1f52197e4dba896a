"""Rasters of an invented island and a STAC item that names them; written to the given folder."""

import json
import sys
from pathlib import Path

import numpy
import rasterio
import xarray
from cogeo_mosaic.mosaic import MosaicJSON
from rasterio.crs import CRS
from rasterio.transform import from_bounds

WEST, SOUTH, EAST, NORTH = 5.0, 60.0, 5.4, 60.2
WIDTH, HEIGHT = 1024, 512
FOLDER = Path(sys.argv[1])


def write(name, bands, descriptions, west=WEST, east=EAST, **tags):
    """A tiled GeoTIFF with overviews."""
    profile = {
        "driver": "COG",
        "width": bands.shape[2],
        "height": bands.shape[1],
        "count": bands.shape[0],
        "dtype": bands.dtype,
        "crs": CRS.from_epsg(4326),
        "transform": from_bounds(west, SOUTH, east, NORTH, bands.shape[2], bands.shape[1]),
        "nodata": -9999 if bands.dtype == "int16" else 0,
        "blocksize": 256,
        "compress": "DEFLATE",
    }
    with rasterio.open(FOLDER / name, "w", **profile) as target:
        target.write(bands)
        target.update_tags(**tags)
        for number, words in enumerate(descriptions, 1):
            target.set_band_description(number, words)


y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
away = numpy.hypot((x - 600) / 380, (y - 250) / 190)
height = (
    numpy.where(away < 1, 742 * numpy.clip(1 - away, 0, 1) ** 1.5, -35 * (away - 1))
    .round()
    .astype("int16")
)
height[:, :64] = -9999
write("skarholm-elevation.tif", height[None], ["elevation in metres"], AREA_OR_POINT="Area")
land = numpy.where(away < 1, 2, 1).astype("uint8")
land[(away < 0.6) & (x % 5 > 0)] = 3
land[(away < 0.85) & (y > 300)] = 4
write("skarholm-landcover.tif", land[None], ["1 water 2 rock 3 forest 4 meadow"])
red = (40 + 150 * (land == 2) + 20 * (land == 4)).astype("uint16")
green = (60 + 80 * (land == 3) + 110 * (land == 4)).astype("uint16")
blue = (30 + 140 * (land == 1)).astype("uint16")
infrared = (20 + 400 * (land == 3) + 300 * (land == 4)).astype("uint16")
write(
    "skarholm-2026-06-14.tif",
    numpy.stack([red, green, blue, infrared]),
    ["red", "green", "blue", "near infrared"],
    TIFFTAG_DATETIME="2026:06:14 11:02:00",
)
write(
    "ekvik-2026-06-14.tif",
    numpy.stack([red, green, blue, infrared])[:, ::-1],
    ["red", "green", "blue", "near infrared"],
    west=EAST,
    east=EAST + 0.4,
    TIFFTAG_DATETIME="2026:06:14 11:02:00",
)
# One that is no cloud-optimised GeoTIFF: in strips, without overviews.
with rasterio.open(
    FOLDER / "old-chart-1987.tif",
    "w",
    driver="GTiff",
    width=WIDTH,
    height=HEIGHT,
    count=1,
    dtype="uint8",
    crs=CRS.from_epsg(4326),
    transform=from_bounds(WEST, SOUTH, EAST, NORTH, WIDTH, HEIGHT),
) as target:
    target.write(land * 60, 1)

box = [WEST, SOUTH, EAST, NORTH]
ring = [[WEST, SOUTH], [EAST, SOUTH], [EAST, NORTH], [WEST, NORTH], [WEST, SOUTH]]
tiff = "image/tiff; application=geotiff; profile=cloud-optimized"
item = {
    "type": "Feature",
    "stac_version": "1.0.0",
    "stac_extensions": [],
    "id": "skarholm-2026-06-14",
    "bbox": box,
    "geometry": {"type": "Polygon", "coordinates": [ring]},
    "properties": {
        "datetime": "2026-06-14T11:02:00Z",
        "title": "Skarholm in June",
        "renders": {
            "relief": {
                "title": "Height in colours",
                "assets": ["elevation"],
                "rescale": [[0, 742]],
                "colormap_name": "terrain",
            },
            "true-colour": {"title": "As the eye sees it", "assets": ["visual"]},
        },
    },
    "links": [],
    "assets": {
        name: {"href": str(FOLDER / file), "type": tiff, "roles": ["data"], "title": title}
        for name, file, title in [
            ("elevation", "skarholm-elevation.tif", "Height above the sea"),
            ("landcover", "skarholm-landcover.tif", "Land cover in four classes"),
            ("visual", "skarholm-2026-06-14.tif", "Picture from above"),
        ]
    },
}
(FOLDER / "skarholm-item.json").write_text(json.dumps(item, indent=1))

# Water, by day, coarser.
days = numpy.array(["2026-06-01", "2026-06-02", "2026-06-03"], dtype="datetime64[ns]")
lat = numpy.linspace(NORTH, SOUTH, 21)
lon = numpy.linspace(WEST, EAST, 41)
warmth = 11 + (lon[None, None, :] - WEST) * 5 + numpy.arange(3)[:, None, None] * 0.5
warmth = numpy.broadcast_to(warmth, (3, 21, 41)) - (lat[None, :, None] - SOUTH) * 2
sea = xarray.Dataset(
    {
        "temperature": (("time", "lat", "lon"), warmth.astype("float32"), {"units": "degC"}),
        "salinity": (("time", "lat", "lon"), (warmth * 0 + 33.5).astype("float32")),
    },
    coords={"time": days, "lat": lat, "lon": lon},
    attrs={"title": "Water off Skarholm", "institution": "Harbour of Fjordside"},
)
sea.to_zarr(FOLDER / "sea-temperature.zarr", zarr_format=2, consolidated=True)

files = [str(FOLDER / name) for name in ("skarholm-2026-06-14.tif", "ekvik-2026-06-14.tif")]
mosaic = MosaicJSON.from_urls(files, minzoom=8, maxzoom=12, quiet=True)
mosaic.name = "June flight"
(FOLDER / "june-flight.json").write_text(mosaic.model_dump_json(indent=1, exclude_none=True))
