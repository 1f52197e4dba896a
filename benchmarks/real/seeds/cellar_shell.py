"""What the cellar's owner has noted beside the exports: prices seen, and words on a few wines."""

import datetime
import sys
from decimal import Decimal

from cellarbrain.dossier_ops import update_dossier
from cellarbrain.price import log_price

FOLDER = sys.argv[1]
PRICES = [
    (1, 2016, "Weinhaus Lindt", "92.00", True, "2026-09-04"),
    (1, 2016, "Enoteca Brandt", "84.50", True, "2026-10-11"),
    (1, 2016, "Weinhaus Lindt", "89.00", True, "2026-11-13"),
    (2, 2015, "Auction Rhenus", "101.00", False, "2026-08-21"),
    (2, 2015, "Weinhaus Lindt", "118.00", True, "2026-11-06"),
    (5, 2018, "Weinhaus Lindt", "31.00", True, "2026-10-30"),
    (4, 2020, "Weinhaus Lindt", "21.00", False, "2026-11-02"),
]
WORDS = {
    (1, "food_pairings"): "Braised beef, wild boar, truffle risotto, aged Parmesan.",
    (1, "producer_profile"): "A family estate of eleven hectares; large casks, no barriques.",
    (7, "food_pairings"): "Thai curry, smoked trout, blue cheese.",
    (9, "vintage_report"): "2012 was dry and small in Rioja; thick skins, long lives.",
    (16, "food_pairings"): "Foie gras, Roquefort, apricot tart.",
}

for wine, vintage, shop, price, there, day in PRICES:
    log_price(
        FOLDER,
        {
            "tracked_wine_id": wine,
            "vintage": vintage,
            "bottle_size_ml": 750,
            "retailer_name": shop,
            "retailer_url": None,
            "price": Decimal(price),
            "currency": "CHF",
            "in_stock": there,
            "observed_at": datetime.datetime.fromisoformat(day),
            "observation_source": "manual",
            "notes": None,
        },
    )
for (wine, section), text in WORDS.items():
    update_dossier(wine, section, text, FOLDER)
