import json
import os
import urllib.parse
import urllib.request


def catch_up(after: str | None, apply) -> str | None:
    """Applies every event after the one with this id (None: from the first), oldest first.

    Keep what it returns: it is where the next call goes on.
    """
    while True:
        query = {"pageSize": "100"} | ({"after": after} if after else {})
        request = urllib.request.Request(
            os.environ["RAPPEN_URL"] + "/api/v1/events?" + urllib.parse.urlencode(query),
            headers={"Authorization": f"Bearer {os.environ['RAPPEN_API_KEY']}"},
        )
        # Raises HTTPError on a refusal; its body is a problem document with code, detail and traceId.
        with urllib.request.urlopen(request, timeout=20) as response:
            page = json.load(response)
        for event in page["items"]:
            apply(event)
            after = event["id"]
        if not page["hasMore"]:
            return after
