"""The 100 tests with pytest and requests."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

URL = os.environ["SANDBOX_URL"]
KEY = os.environ["SANDBOX_API_KEY"]
CASES = json.loads((Path(__file__).parent.parent / "cases.json").read_text())
SUBMISSIONS = [case["elements"][0] for case in CASES if case["operation"] == "submit-user-course-item"]
QUIZZES = [case["elements"][0] for case in CASES if case["test"].startswith("reads quiz ")]
ITEMS = [case["elements"][0] for case in CASES if case["test"].startswith("reads course item ")]

session = requests.Session()
session.headers.update({"SERVICE-API-KEY": KEY})
session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=12))


@pytest.fixture(autouse=True)
def scope(request):
    session.headers["Sandbox-Scope"] = request.node.nodeid


def call(operation, elements, query=""):
    """Sends a batch. Returns whether all of it succeeded."""
    body = {"data": [{"data": element} for element in elements]}
    response = session.post(f"{URL}/public/{operation}{query}", json=body, timeout=20)
    return response.status_code == 200 and '"status":"error"' not in response.text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["test"])
def test_case(case):
    assert call(case["operation"], case["elements"]) == (case["outcome"] == "ok")


@pytest.mark.parametrize(
    ("operation", "elements"),
    [("get-quiz-details", QUIZZES[:6]), ("get-quiz-details", QUIZZES), ("get-course-item-data", ITEMS[:12])],
    ids=["six at once", "seven at once", "twelve at once"],
)
def test_at_once(operation, elements):
    with ThreadPoolExecutor(12) as pool:
        assert all(pool.map(lambda element: call(operation, [element]), elements))


def test_planted_misspells_a_path():
    assert not call("get-quiz-detials", [{}])


def test_planted_sends_a_field_that_is_not_documented():
    call("get-course-item-data", [{**ITEMS[0], "traceId": "a-17"}])


def test_planted_sends_the_key_in_the_query():
    call("get-all-instructors", [{}], f"?key={KEY}")


def test_planted_submits_twice():
    for submission in SUBMISSIONS[:2] * 2:
        call("submit-user-course-item", [submission])


def test_planted_sends_a_number_as_text():
    call("get-instructor-permission-presets", [{"pageNumber": "1", "limit": 4}])
