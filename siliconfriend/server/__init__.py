"""The HTTP server: our own API, OpenAI's for other clients, and the memory as MCP's tools."""
