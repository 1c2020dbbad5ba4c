import json
import os
import urllib.parse
import urllib.request


def find_payment(idempotency_key: str) -> dict | None:
    """The payment that was created with this key, or None: for an order whose answer got lost."""
    request = urllib.request.Request(
        os.environ["RAPPEN_URL"] + "/api/v1/intents?" + urllib.parse.urlencode({"idempotencyKey": idempotency_key}),
        headers={"Authorization": f"Bearer {os.environ['RAPPEN_API_KEY']}"},
    )
    # Raises HTTPError on a refusal; its body is a problem document with code, detail and traceId.
    with urllib.request.urlopen(request, timeout=20) as response:
        items = json.load(response)["items"]
    return items[0] if items else None
