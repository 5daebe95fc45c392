"""Python's requests with urllib3's Retry, which obeys Retry-After. A submission is sent again only if it had no effect."""

import random
import sys

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from day import HEADERS, TIMEOUT, URL, Failed, outputs_of, work


class JitteredRetry(Retry):
    """urllib3 2 has `backoff_jitter`; with urllib3 1.26 it is one method."""

    def get_backoff_time(self):
        backoff = super().get_backoff_time()
        return backoff and backoff * random.uniform(0.75, 1.25)


def session_with(retry):
    session = requests.Session()
    session.headers.update(HEADERS)
    session.mount("http://", HTTPAdapter(max_retries=retry, pool_maxsize=10))
    return session


common = {"total": 5, "backoff_factor": 0.8, "allowed_methods": None, "raise_on_status": False}
safe = session_with(JitteredRetry(status_forcelist=[408, 429, 500, 502, 503, 504], **common))
unsafe = session_with(JitteredRetry(connect=0, read=0, other=0, status_forcelist=[429, 503], **common))


def send(operation, elements):
    session = unsafe if operation == "submit-user-course-item" else safe
    try:
        reply = session.post(
            f"{URL}/public/{operation}", json={"data": [{"data": element} for element in elements]}, timeout=TIMEOUT
        )
    except requests.exceptions.ChunkedEncodingError as error:
        raise Failed(str(error)) from error
    except requests.exceptions.RequestException as error:
        raise Failed(str(error), final=True) from error
    if reply.status_code >= 500 or reply.status_code == 429:
        raise Failed(f"HTTP {reply.status_code}, the last of several tries", final=True)
    return outputs_of(reply.status_code, None, reply.text)


work(send, int(sys.argv[1]))
