"""A household's wine cellar, as the three exports that cellarbrain reads.

The producers and their wines are invented, the regions and grapes are not.
"""

from collections.abc import Sequence
from typing import TypeAlias

Row: TypeAlias = dict[str, str]

_WINE_FIELDS = """
Winery|Name|Year|Country|Region|Classification|Category|Grapes|Alcohol|Drink from|Drink until|\
Optimal from|Optimal until|Price|Temperature|Favorite|Wishlist
"""
_WINES = """
Cascina Morel|Barolo Vigna Tesa|2016|Italy|Piedmont|DOCG|Red wine|Nebbiolo|14.5|2022|2040|2026|\
2034|78.00|18|Yes|No
Cascina Morel|Langhe Nebbiolo|2022|Italy|Piedmont|DOC|Red wine|Nebbiolo|14.0|2024|2030|2025|2028|\
24.00|17|No|No
Poggio Sereno|Chianti Classico Riserva|2019|Italy|Tuscany|DOCG|Red wine|\
Sangiovese (90%), Canaiolo (10%)|14.0|2023|2032|2025|2029|36.00|17|No|No
Chateau Bellerive-Montaud|Grand Vin|2015|France|Bordeaux|Grand Cru|Red wine|\
Merlot (70%), Cabernet Franc (30%)|13.5|2021|2038|2024|2033|95.00|18|Yes|No
Domaine des Aulnes|Meursault Les Clous|2020|France|Burgundy|AOC|White wine|Chardonnay|13.0|2023|\
2032|2025|2029|68.00|12|No|No
Domaine des Aulnes|Bourgogne Rouge|2021|France|Burgundy|AOC|Red wine|Pinot Noir|12.5|2023|2027|\
2024|2025|29.00|15|No|No
Weingut Hollerbach|Riesling Spaetlese Goldlay|2018|Germany|Mosel|Praedikatswein|White wine|\
Riesling|8.0|2020|2038|2024|2034|27.50|9|Yes|No
Weingut Hollerbach|Riesling trocken|2023|Germany|Mosel|QbA|White wine|Riesling|12.0|2024|2028|2024|\
2026|14.50|9|No|No
Bodega Peñaluz|Gran Reserva|2012|Spain|Rioja|DOCa|Red wine|Tempranillo (85%), Graciano (15%)|14.0|\
2019|2030|2022|2027|42.00|18|No|No
Bodega Peñaluz|Crianza|2020|Spain|Rioja|DOCa|Red wine|Tempranillo|13.5|2023|2027|2024|2026|13.90|\
17|No|No
Quinta do Vale Escuro|Vintage Port|2007|Portugal|Douro|DOC|Fortified wine|\
Touriga Nacional (60%), Touriga Franca (40%)|20.0|2022|2055|2030|2045|74.00|17|No|No
Maison Perrault-Lys|Brut Reserve||France|Champagne|AOC|Sparkling wine|\
Pinot Noir (50%), Chardonnay (50%)|12.0|2023|2028|2024|2027|45.00|8|Yes|No
Domaine Cheseaux|Chasselas Les Murets|2023|Switzerland|Vaud|AOC|White wine|Chasselas|12.0|2024|\
2027|2024|2026|17.50|10|No|No
Domaine Cheseaux|Pinot Noir Vieilles Vignes|2021|Switzerland|Vaud|AOC|Red wine|Pinot Noir|13.0|\
2023|2029|2024|2027|28.00|15|No|No
Kellerei Lahnstein|Gruener Veltliner Ried Stein|2022|Austria|Kamptal|DAC|White wine|\
Gruener Veltliner|13.0|2023|2030|2024|2027|22.00|10|No|No
Chateau de la Brume|Sauternes|2009|France|Bordeaux|AOC|Dessert wine|\
Semillon (80%), Sauvignon Blanc (20%)|14.0|2015|2045|2020|2038|58.00|10|No|No
Mas Fontvieille|Bandol Rose|2024|France|Provence|AOC|Rose wine|Mourvedre (60%), Cinsault (40%)|\
13.0|2025|2027|2025|2026|19.90|10|No|No
Tierra Quieta|Malbec Altura|2020|Argentina|Mendoza||Red wine|Malbec|14.5|2022|2029|2024|2027|21.00|\
17|No|Yes
"""
_TASTINGS = {
    "Barolo Vigna Tesa": "14 February 2026 - Tar and roses, still firm - 18.0/20",
    "Grand Vin": "25 December 2025 - Cedar, plum, very long - 18.5/20",
    "Gran Reserva": "3 May 2026 - Leather and orange peel, at its best - 17.0/20",
    "Bourgogne Rouge": "11 September 2026 - Fading, drink up - 14.5/20",
    "Riesling Spaetlese Goldlay": "20 June 2026 - Petrol and peach - 17.5/20",
}
_RATINGS = {
    "Barolo Vigna Tesa": "Vinum Septentrio - 95.0/100",
    "Grand Vin": "Vinum Septentrio - 96.0/100",
    "Vintage Port": "Vinum Septentrio - 94.0/100",
    "Meursault Les Clous": "Cork Gazette - 92.0/100",
}
_STORED = """
Barolo Vigna Tesa|01 Vaulted cellar|A1|4|Enoteca Brandt|12.10.2020|65.00
Langhe Nebbiolo|01 Vaulted cellar|A2|6|Enoteca Brandt|03.04.2025|22.00
Chianti Classico Riserva|01 Vaulted cellar|A3|5|Enoteca Brandt|17.11.2023|31.50
Grand Vin|01 Vaulted cellar|B1|3|Auction Rhenus|08.03.2019|88.00
Meursault Les Clous|02 Wine fridge|top|2|Auction Rhenus|22.09.2022|61.00
Bourgogne Rouge|02 Wine fridge|middle|1|Weinhaus Lindt|22.09.2023|27.00
Riesling Spaetlese Goldlay|01 Vaulted cellar|C1|7|At the estate|05.08.2020|24.00
Riesling trocken|02 Wine fridge|top|3|At the estate|14.07.2025|13.00
Gran Reserva|01 Vaulted cellar|B2|2|Weinhaus Lindt|30.01.2020|38.00
Crianza|01 Vaulted cellar|B3|8|Weinhaus Lindt|18.02.2025|12.50
Vintage Port|01 Vaulted cellar|D1|2|Auction Rhenus|11.12.2018|70.00
Brut Reserve|02 Wine fridge|bottom|6|Weinhaus Lindt|20.11.2025|41.00
Chasselas Les Murets|02 Wine fridge|middle|4|At the estate|02.06.2025|16.00
Gruener Veltliner Ried Stein|02 Wine fridge|bottom|5|Weinhaus Lindt|09.05.2025|20.00
Sauternes|01 Vaulted cellar|D2|3|Auction Rhenus|14.03.2016|52.00
Malbec Altura|01 Vaulted cellar|B4|1|Weinhaus Lindt|07.10.2025|19.00
"""
_GONE = """
Barolo Vigna Tesa|Enoteca Brandt|12.10.2020|65.00|14.02.2026|Drunk|with the wild boar
Grand Vin|Auction Rhenus|08.03.2019|88.00|25.12.2025|Drunk|Christmas
Gran Reserva|Weinhaus Lindt|30.01.2020|38.00|03.05.2026|Drunk|
Bourgogne Rouge|Weinhaus Lindt|22.09.2023|27.00|11.09.2026|Drunk|
Riesling Spaetlese Goldlay|At the estate|05.08.2020|24.00|20.06.2026|Drunk|
Pinot Noir Vieilles Vignes|At the estate|02.06.2024|26.00|19.01.2026|Drunk|fondue
Pinot Noir Vieilles Vignes|At the estate|02.06.2024|26.00|08.03.2026|Offered|for Regula
Bandol Rose|Weinhaus Lindt|09.05.2026|18.00|02.08.2026|Drunk|on the terrace
Crianza|Weinhaus Lindt|18.02.2025|12.50|17.10.2026|Drunk|
Crianza|Weinhaus Lindt|18.02.2025|12.50|24.10.2026|Removed|corked
Brut Reserve|Weinhaus Lindt|20.11.2025|41.00|31.12.2025|Drunk|
"""


def wines() -> list[Row]:
    """The catalogue, in the order that gives each its number, from 1."""
    rows = []
    for line in _WINES.strip().splitlines():
        row = dict(zip(_WINE_FIELDS.strip().split("|"), line.split("|"), strict=True))
        row["Year"] = row["Year"] or "Non vintage"
        row |= {
            "Subregion": "",
            "Currency": "CHF",
            "Volume": "750mL",
            "Tasting": _TASTINGS.get(row["Name"], ""),
            "Pro Ratings Detail": _RATINGS.get(row["Name"], ""),
        }
        rows.append(row)
    return rows


def stored() -> list[Row]:
    """A row for each bottle that lies in the cellar."""
    rows = []
    for line in _STORED.strip().splitlines():
        name, cellar, shelf, count, provider, day, price = line.split("|")
        place = {"Cellar": cellar, "Shelf": shelf}
        bought = _bought(name, provider, day, price)
        rows += [{**bought, **place, "Bottle number": str(n)} for n in range(1, int(count) + 1)]
    return rows


def gone() -> list[Row]:
    """A row for each bottle that is no longer there."""
    rows = []
    for line in _GONE.strip().splitlines():
        name, provider, day, price, out, kind, comment = line.split("|")
        left = {"Output date": out, "Output type": kind, "Output comment": comment}
        rows.append({**_bought(name, provider, day, price), **left})
    return rows


def _bought(name: str, provider: str, day: str, price: str) -> Row:
    wine = next(row for row in wines() if row["Name"] == name)
    return {
        **{key: wine[key] for key in ("Winery", "Name", "Year", "Volume")},
        "Provider": provider,
        "Input date": day,
        "Input type": "Market price",
        "Input price": price,
        "Input currency": "CHF",
    }


def export(rows: Sequence[Row]) -> bytes:
    """As the cellar's app writes it: a table with tabs, in UTF-16."""
    names = list(rows[0])
    lines = ["\t".join(names), *("\t".join(row[name] for name in names) for row in rows)]
    return "\r\n".join(lines).encode("utf-16")
