"""What a run's numbers mean: profiles, dynamics, fairness and queues, as pure functions on arrays.

Import the module that is wanted, such as ``from lab_tools.analysis.fairness import jain_index``.
"""
