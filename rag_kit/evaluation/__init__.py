"""Evaluation: questions with known answers, and what the kit made of them."""
