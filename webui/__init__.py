"""The web page: Gradio's parts, and a few components of our own."""
