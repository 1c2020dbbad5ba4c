import json
import os
import urllib.parse
import urllib.request


def cancel_payment(intent_id: str) -> str:
    """Calls a payment off, and tells its status.

    One that is cancelled already is answered the same; one that is complete or over otherwise is refused with 409.
    """
    request = urllib.request.Request(
        os.environ["RAPPEN_URL"] + "/api/v1/intents/" + urllib.parse.quote(intent_id, safe="") + "/cancel",
        method="POST",
        headers={"Authorization": f"Bearer {os.environ['RAPPEN_API_KEY']}"},
    )
    # Raises HTTPError on a refusal; its body is a problem document with code, detail and traceId.
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.load(response)["status"]
