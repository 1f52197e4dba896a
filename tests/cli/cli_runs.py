"""How a command ended, and a document to run it on."""

from collections.abc import Callable
from typing import NamedTuple


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]


WEATHER = {
    "openapi": "3.0.3",
    "info": {"title": "Weather", "version": "1"},
    "servers": [{"url": "https://weather.example.com"}],
    "paths": {
        "/forecast": {
            "get": {
                "operationId": "forecast",
                "summary": "Weather forecast for a city",
                "parameters": [
                    {"name": "city", "in": "query", "required": True, "schema": {"type": "string"}}
                ],
                "responses": {
                    "200": {
                        "description": "The forecast",
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "object",
                                    "properties": {"celsius": {"type": "number"}},
                                }
                            }
                        },
                    }
                },
            }
        },
        "/alerts/{id}": {
            "get": {
                "operationId": "alert",
                "summary": "One storm alert by its id",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                "responses": {"200": {"description": "The alert"}},
            }
        },
    },
}
