"""Documents that the tests below share stand in `catalog_documents.py`, found through this file."""
