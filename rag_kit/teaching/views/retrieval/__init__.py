"""The retrieval inspector: one question, several ways to search, side by side."""
