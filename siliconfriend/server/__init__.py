"""The memory and the companion over HTTP: an API of their own, and OpenAI's for other clients.

It stands on the same store, recall and reply flow as the terminal, the web page and MCP. A
route only reads a request, checks whose memory its key may reach and writes an answer: a
route that did more would be a second way of remembering.
"""
