"""Delay embedding, nearest neighbours and block bootstrap, against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_tools.analysis.dynamics import mean_interval
from lab_tools.analysis.dynamics.bootstrap import block_length, resampled_means
from lab_tools.analysis.dynamics.embedding import delay_embedding, nearest_neighbours
from lab_tools.analysis.dynamics.reference import noise
from lab_tools.errors import DataError, InputError


@given(dimension=st.integers(1, 4), lag=st.integers(1, 3))
@settings(max_examples=20, deadline=None)
def test_embedding_holds_the_delayed_samples(dimension, lag):
    x = np.arange(20.0)
    vectors = delay_embedding(x, dimension, lag)
    assert vectors.shape == (20 - (dimension - 1) * lag, dimension)
    for i, vector in enumerate(vectors):
        assert list(vector) == [i + k * lag for k in range(dimension)]


@given(seed=st.integers(0, 500), theiler=st.integers(0, 5))
@settings(max_examples=30, deadline=None)
def test_neighbours_are_the_nearest_outside_the_window(seed, theiler):
    vectors = np.random.default_rng(seed).normal(size=(30, 2))
    near = nearest_neighbours(vectors, theiler)
    for i in range(30):
        allowed = [j for j in range(30) if abs(i - j) > theiler]
        best = min(allowed, key=lambda j: np.linalg.norm(vectors[i] - vectors[j]))
        assert near[i] == best


def test_coinciding_vectors_keep_out_of_the_window():
    near = nearest_neighbours(np.zeros((12, 1)), 2)
    assert (np.abs(near - np.arange(12)) > 2).all()


def test_interval_covers_the_mean_of_dependent_terms():
    """Blocks of one ignore the memory and cover far less often than 90 %."""
    rng = np.random.default_rng(3)
    blocked = single = 0
    for _ in range(200):
        x = noise(1500, rng, memory=0.8)
        low, high = mean_interval(x, rng, confidence=0.9, resamples=200, block=30)
        blocked += low <= 0 <= high
        low, high = mean_interval(x, rng, confidence=0.9, resamples=200, block=1)
        single += low <= 0 <= high
    assert blocked / 200 >= 0.8
    assert single / 200 <= 0.6


def test_interval_of_independent_terms_matches_the_standard_error():
    rng = np.random.default_rng(4)
    x = rng.normal(3.0, 2.0, 4000)
    low, high = mean_interval(x, rng)
    assert (high - low) / 2 == pytest.approx(1.96 * 2.0 / np.sqrt(4000), rel=0.2)


def test_same_seed_same_interval():
    x = np.random.default_rng(1).normal(size=300)
    first = mean_interval(x, np.random.default_rng(9))
    assert first == mean_interval(x, np.random.default_rng(9))
    assert first != mean_interval(x, np.random.default_rng(10))


def test_rows_are_resampled_together():
    rows = np.stack([np.arange(60.0), -np.arange(60.0)], axis=1)
    means = resampled_means(rows, np.random.default_rng(1), resamples=20)
    assert means.shape == (20, 2)
    assert means[:, 0] == pytest.approx(-means[:, 1])


@given(n=st.integers(1, 10**7))
@settings(max_examples=40, deadline=None)
def test_there_are_never_more_than_200_blocks(n):
    assert 1 <= block_length(n) <= n
    assert -(-n // block_length(n)) <= max(200, n ** (2 / 3) + 1)


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda rng: mean_interval([1.0, np.nan], rng), DataError, "terms"),
        (lambda rng: mean_interval([1.0, 2.0, 3.0], rng, block=2), DataError, "terms"),
        (lambda rng: mean_interval(np.ones(9), rng, confidence=0), InputError, "confidence"),
        (lambda rng: mean_interval(np.ones(9), rng, resamples=1), InputError, "resamples"),
        (lambda rng: mean_interval(np.ones(9), rng, block=0), InputError, "block"),
        (lambda rng: delay_embedding([1, 2], 3, 1), DataError, "x has 2 values"),
        (lambda rng: delay_embedding([1, 2], 0, 1), InputError, "dimension"),
        (lambda rng: delay_embedding([1, 2], 1, 0), InputError, "lag"),
        (lambda rng: nearest_neighbours(np.zeros((3, 1)), 1), DataError, "x gives 3 vectors"),
        (lambda rng: nearest_neighbours(np.zeros((3, 1)), -1), InputError, "theiler"),
    ],
)
def test_bad_input_is_named(call, error, name):
    with pytest.raises(error, match=name):
        call(np.random.default_rng(1))
