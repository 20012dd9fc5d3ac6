"""How the page looks: tokens, letters, pictures, and Gradio in its colours."""
