"""Records of memories, and their stores."""
