"""The server of the Model Context Protocol (MCP), by its official SDK, without a transport.

Only here and beside the transports is the SDK imported. Tools, resources and prompts are the
same over every transport; whose memory a call reaches is decided by the transport alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from anyio import to_thread
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    Prompt,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from siliconfriend import __version__
from siliconfriend.errors import SiliconFriendError
from siliconfriend.service import resources
from siliconfriend.service.arguments import BY_TOOL
from siliconfriend.service.tools import Tools
from siliconfriend.texts import LANGUAGES, Language, text

NAME = "siliconfriend"
ANSWER = {
    "type": "object",
    "properties": {"status": {"type": "string", "enum": ["success", "error"]}},
    "required": ["status"],
}
READ_ONLY = frozenset({"get_user_profile", "search_memories"})

FindTools = Callable[[Any], Tools]
"""Gives the tools for a request: those of the person whose memory it may reach."""


def build_server(find_tools: FindTools, language: Language) -> Server[Any]:
    """Build the server.

    Args:
        find_tools: called with the transport's request; None over standard input.
        language: of the instructions, which are sent before any person is known.
    """

    async def list_tools(context: Any, _params: Any) -> ListToolsResult:
        described = find_tools(context.request).describe()
        return ListToolsResult(tools=[_tool(*it) for it in described])

    async def call_tool(context: Any, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in BY_TOOL:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
        tools = find_tools(context.request)
        answer = await to_thread.run_sync(partial(tools.call, params.name, params.arguments or {}))
        words = json.dumps(answer, ensure_ascii=False, indent=2)
        return CallToolResult(
            content=[TextContent(type="text", text=words)], structured_content=answer
        )

    async def list_resources(context: Any, _params: Any) -> ListResourcesResult:
        found = resources.list_resources(find_tools(context.request).context)
        return ListResourcesResult(resources=[_resource(it) for it in found])

    async def list_templates(context: Any, _params: Any) -> ListResourceTemplatesResult:
        found = resources.list_templates(find_tools(context.request).context)
        return ListResourceTemplatesResult(resource_templates=[_template(it) for it in found])

    async def read_resource(context: Any, params: ReadResourceRequestParams) -> ReadResourceResult:
        tools, uri = find_tools(context.request), str(params.uri)
        return await to_thread.run_sync(_read, tools, uri)

    return Server(
        NAME,
        version=__version__,
        instructions=text("service", "instructions", language),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )


async def _list_prompts(_context: Any, _params: Any) -> ListPromptsResult:
    """One prompt a language: how to talk with the person whose memory this is."""
    described = ((code, text("service", "prompt_description", code)) for code in LANGUAGES)
    return ListPromptsResult(
        prompts=[Prompt(name=_prompt_name(code), description=words) for code, words in described]
    )


async def _get_prompt(_context: Any, params: GetPromptRequestParams) -> GetPromptResult:
    by_name: dict[str, Language] = {_prompt_name(code): code for code in LANGUAGES}
    if params.name not in by_name:
        raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name}")
    words = text("service", "prompt", by_name[params.name])
    message = PromptMessage(role="user", content=TextContent(type="text", text=words))
    return GetPromptResult(messages=[message])


def _prompt_name(language: Language) -> str:
    return f"companion_{language}"


def _tool(name: str, description: str, schema: dict[str, Any]) -> Tool:
    return Tool(
        name=name,
        description=description,
        input_schema=schema,
        output_schema=ANSWER,
        annotations=ToolAnnotations(
            read_only_hint=name in READ_ONLY, destructive_hint=False, open_world_hint=False
        ),
    )


def _resource(described: resources.Resource) -> Resource:
    return Resource(
        uri=described.uri,
        name=described.name,
        description=described.description,
        mime_type=resources.MEDIA_TYPE,
    )


def _template(described: resources.Resource) -> ResourceTemplate:
    return ResourceTemplate(
        uri_template=described.uri,
        name=described.name,
        description=described.description,
        mime_type=resources.MEDIA_TYPE,
    )


def _read(tools: Tools, uri: str) -> ReadResourceResult:
    """Read a resource; what is wrong is told as the protocol's error."""
    try:
        words = resources.read_resource(tools.context, uri)
    except SiliconFriendError as error:
        message = error.message(tools.context.known_language)
        raise MCPError(INVALID_PARAMS, message) from error
    if words is None:
        raise MCPError(INVALID_PARAMS, f"Unknown resource: {uri}")
    contents = [TextResourceContents(uri=uri, text=words, mime_type=resources.MEDIA_TYPE)]
    return ReadResourceResult(contents=list[Any](contents))
