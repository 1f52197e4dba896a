"""LiteLLM: a gateway to language models, of which none is reachable; it has no database."""

import json

from service import Place, Service, Wheels

PORT = 18733
KEY = "sk-harbour-gateway-test"
NOWHERE = "http://127.0.0.1:9/v1"
POLITE = """---
model: helpdesk-fast
temperature: 0.2
---
User: Decline {{request}} politely."""
SUMMARY = """---
model: minutes-writer
---
User: Five sentences on {{minutes}}."""


def _model(name: str, identifier: str, model: str, groups: list[str], **limits: object) -> object:
    return {
        "model_name": name,
        "litellm_params": {"model": model, "api_base": NOWHERE, "api_key": "invented", **limits},
        "model_info": {"id": identifier, "access_groups": groups},
    }


def _guardrail(name: str, when: str, told: str, words: list[str], always: bool) -> object:
    return {
        "guardrail_name": name,
        "litellm_params": {
            "guardrail": "litellm_content_filter",
            "mode": when,
            "default_on": always,
            "blocked_words": [{"keyword": word, "action": "BLOCK"} for word in words],
        },
        "guardrail_info": {"description": told},
    }


# JSON is YAML.
CONFIG: dict[str, object] = {
    "model_list": [
        _model(
            "helpdesk-fast", "dep-helpdesk-1", "openai/gpt-4o-mini", ["office"], rpm=60, tpm=20000
        ),
        _model(
            "helpdesk-fast", "dep-helpdesk-2", "azure/gpt-4o-mini", ["office"], rpm=30, tpm=9000
        ),
        _model(
            "contracts-long",
            "dep-contracts",
            "anthropic/claude-3-7-sonnet-20250219",
            ["legal"],
            rpm=10,
        ),
        _model(
            "minutes-writer", "dep-minutes", "mistral/mistral-small-latest", ["office", "legal"]
        ),
        _model("archive-embed", "dep-embed", "openai/text-embedding-3-small", ["office"]),
        _model("poster-images", "dep-poster", "openai/dall-e-3", ["press"]),
    ],
    "credential_list": [
        {
            "credential_name": "azure-north",
            "credential_values": {"api_key": "invented-azure-key", "api_base": NOWHERE},
            "credential_info": {"description": "Azure subscription of the northern office"},
        },
        {
            "credential_name": "mistral-press",
            "credential_values": {"api_key": "invented-mistral-key"},
            "credential_info": {"description": "Press office"},
        },
    ],
    "router_settings": {
        "routing_strategy": "simple-shuffle",
        "num_retries": 3,
        "timeout": 45,
        "allowed_fails": 2,
        "fallbacks": [{"contracts-long": ["minutes-writer", "helpdesk-fast"]}],
    },
    "litellm_settings": {
        "cost_discount_config": {"openai": 0.05, "mistral": 0.1},
    },
    "general_settings": {
        "master_key": KEY,
        "pass_through_endpoints": [
            {"path": "/v1/rerank-archive", "target": "http://127.0.0.1:9/rerank"},
        ],
    },
    "guardrails": [
        _guardrail(
            "no-legal-advice",
            "pre_call",
            "Stops questions about lawsuits",
            ["lawsuit", "sue them"],
            True,
        ),
        _guardrail(
            "keep-names-inside",
            "post_call",
            "Names of clients never leave",
            ["Solberg", "Haddad"],
            False,
        ),
        _guardrail(
            "press-embargo", "pre_call", "Until the harbour is opened", ["new harbour"], False
        ),
    ],
    "mcp_servers": {
        "harbour_calendar": {
            "server_id": "mcp-calendar",
            "url": "http://127.0.0.1:9/calendar/mcp",
            "transport": "http",
            "description": "Berths and bookings",
            "access_groups": ["office"],
        },
        "law_library": {
            "server_id": "mcp-law",
            "url": "http://127.0.0.1:9/law/mcp",
            "transport": "http",
            "description": "Statutes and rulings",
            "access_groups": ["legal"],
        },
    },
    "policies": {
        "office-default": {
            "description": "For everyone in the office",
            "guardrails": {"add": ["no-legal-advice"]},
        },
        "press-strict": {
            "inherit": "office-default",
            "description": "For the press office",
            "guardrails": {"add": ["keep-names-inside", "press-embargo"]},
        },
    },
    "policy_attachments": [
        {"policy": "office-default", "scope": "*"},
        {"policy": "press-strict", "models": ["poster-images"]},
    ],
    "vector_store_registry": [
        {
            "vector_store_name": "minutes-archive",
            "litellm_params": {
                "vector_store_id": "vs-minutes",
                "custom_llm_provider": "openai",
                "vector_store_description": "Minutes of the board since 2019",
            },
        },
        {
            "vector_store_name": "tenders",
            "litellm_params": {
                "vector_store_id": "vs-tenders",
                "custom_llm_provider": "bedrock",
                "vector_store_description": "Public tenders",
            },
        },
    ],
    "prompts": [
        {
            "prompt_id": "polite-refusal",
            "litellm_params": {
                "prompt_id": "polite-refusal",
                "prompt_integration": "dotprompt",
                "dotprompt_content": POLITE,
            },
        },
        {
            "prompt_id": "minutes-summary",
            "litellm_params": {
                "prompt_id": "minutes-summary",
                "prompt_integration": "dotprompt",
                "dotprompt_content": SUMMARY,
            },
        },
    ],
    "search_tools": [
        {
            "search_tool_name": "news-search",
            "litellm_params": {"search_provider": "tavily", "api_key": "invented"},
        },
        {
            "search_tool_name": "law-search",
            "litellm_params": {"search_provider": "perplexity", "api_key": "invented"},
        },
    ],
    "agent_list": [
        {
            "agent_name": "berth-booker",
            "agent_card_params": {
                "protocolVersion": "1.0",
                "name": "Berth booker",
                "description": "Books berths for guests",
                "url": "http://127.0.0.1:9/berth-booker",
                "version": "1.2.0",
                "defaultInputModes": ["text"],
                "defaultOutputModes": ["text"],
                "capabilities": {"streaming": False},
                "skills": [
                    {
                        "id": "book",
                        "name": "Book a berth",
                        "description": "Reserves a berth",
                        "tags": ["harbour"],
                    }
                ],
            },
        }
    ],
}


def _prepare(place: Place) -> None:
    place.written("config.yaml", json.dumps(CONFIG, indent=1))


def _command(place: Place) -> list[str]:
    config = str(place.data / "config.yaml")
    return [
        place.program("litellm"),
        "--config",
        config,
        "--host",
        "127.0.0.1",
        "--port",
        str(place.port),
    ]


def _environment(_: Place) -> dict[str, str]:
    return {
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_MODE": "PRODUCTION",
        "LITELLM_LOCAL_BLOG_POSTS": "True",
        "LITELLM_SALT_KEY": "of-a-benchmark",
    }


SERVICE = Service(
    name="litellm",
    part="check",
    install=Wheels("litellm"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=_environment,
    ready="/health/liveliness",
    document="/openapi.json",
    credential=KEY,
    header="Authorization: Bearer",
)
