"""What the clients in Python share: a day's work, and the retries of a call."""

import json
import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

URL = os.environ["SANDBOX_URL"]
HEADERS = {"SERVICE-API-KEY": os.environ["SANDBOX_API_KEY"], "Content-Type": "application/json"}
TIMEOUT = 25
CALLS = json.loads((Path(__file__).parent / "day.json").read_text())

random.seed(int(os.environ.get("SANDBOX_SEED", "1")))


class KeyRefused(Exception):
    pass


class Failed(Exception):
    """A call that failed. `sent` says whether it may have taken effect."""

    def __init__(self, message, sent=True, retry_after=None, final=False):
        super().__init__(message)
        self.sent, self.retry_after, self.final = sent, retry_after, final


def outputs_of(status, retry_after, text):
    if status in (401, 403):
        raise KeyRefused(text)
    if status in (429, 503):
        raise Failed(f"HTTP {status}", sent=False, retry_after=float(retry_after) if retry_after else None)
    if status >= 500 or status == 408:
        raise Failed(f"HTTP {status}")
    if status >= 400:
        raise Failed(f"HTTP {status}: {text}", final=True)
    try:
        return [item.get("output") for item in json.loads(text)]
    except (ValueError, AttributeError) as error:
        raise Failed(f"unreadable reply: {error}") from error


def patiently(send, operation, elements, tries=6):
    """Calls `send`, and again after temporary failures that are safe to repeat."""
    for failures in range(1, tries + 1):
        try:
            return send(operation, elements)
        except Failed as error:
            unsafe = error.sent and operation == "submit-user-course-item"
            if error.final or unsafe or failures == tries:
                raise
            pause = min(20, 0.5 * 2**failures) * random.uniform(0.5, 1)
            time.sleep(error.retry_after + min(pause, 1) if error.retry_after is not None else pause)


def complete(send, operation, elements):
    """Sends a batch, and once more those of its elements that failed. Outputs belong to elements by index."""
    outputs = patiently(send, operation, elements)
    outputs += [None] * (len(elements) - len(outputs))
    safe = operation != "submit-user-course-item"
    failed = [i for i, o in enumerate(outputs) if (safe if o is None else o.get("status") == "error")]
    if not failed:
        return outputs
    time.sleep(random.uniform(1, 2))
    again = patiently(send, operation, [elements[i] for i in failed])
    for index, output in zip(failed, again):
        outputs[index] = output
    return outputs


def work(send, workers):
    """Does the day's work with so many threads. A refused key ends it; what fails is left for tomorrow."""
    refused = []

    def task(call):
        if refused:
            return
        try:
            complete(send, *call)
        except KeyRefused as error:
            refused.append(error)
        except Failed as error:
            print(call[0], error)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(task, CALLS))
