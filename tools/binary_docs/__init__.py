"""The sample documents that are no plain text: one module for each, its words as data and a ``build``."""
