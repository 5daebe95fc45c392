"""Python's http.client: one connection, opened anew after a failure."""

import http.client
import json
import urllib.parse

from day import HEADERS, TIMEOUT, URL, Failed, outputs_of, work

connection = http.client.HTTPConnection(urllib.parse.urlsplit(URL).netloc, timeout=TIMEOUT)


def send(operation, elements):
    body = json.dumps({"data": [{"data": element} for element in elements]})
    try:
        connection.request("POST", f"/public/{operation}", body, HEADERS)
        reply = connection.getresponse()
        text = reply.read().decode()
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        raise Failed(str(error)) from error
    return outputs_of(reply.status, reply.headers.get("Retry-After"), text)


work(send, 1)
