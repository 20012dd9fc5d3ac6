"""The HTTP server: our own API, and OpenAI's for other clients.

A route parses a request, checks whom its key reaches, calls the façade and words the answer.
"""
