"""Exercises that check themselves, a learner's results, and the grader of a hidden set of cases."""
