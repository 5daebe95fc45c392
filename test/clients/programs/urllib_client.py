"""Python's urllib: it closes the connection after each call."""

import http.client
import json
import sys
import urllib.error
import urllib.request

from day import HEADERS, TIMEOUT, URL, Failed, outputs_of, work


def send(operation, elements):
    body = json.dumps({"data": [{"data": element} for element in elements]}).encode()
    request = urllib.request.Request(f"{URL}/public/{operation}", body, HEADERS, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:
            return outputs_of(reply.status, None, reply.read().decode())
    except urllib.error.HTTPError as error:
        return outputs_of(error.code, error.headers.get("Retry-After"), error.reason)
    except (OSError, http.client.HTTPException) as error:
        raise Failed(str(error)) from error


work(send, int(sys.argv[1]))
