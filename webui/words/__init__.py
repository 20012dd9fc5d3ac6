"""What is said in the page, and how it is put into HTML."""
