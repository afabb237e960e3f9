"""The cases of the exercises, a file or two a lesson; ``rag_kit.teaching.grading.registry`` loads them."""
