"""PDF pages to blocks."""
