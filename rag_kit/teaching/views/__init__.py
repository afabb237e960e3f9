"""What the notebooks let a reader look at: answers with their passages, hits, documents and chunks."""
