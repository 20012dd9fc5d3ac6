"""How the page looks: its own files, and Gradio in its colours."""
