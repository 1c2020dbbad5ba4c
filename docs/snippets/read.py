import json
import os
import urllib.parse
import urllib.request


def read_payment(intent_id: str) -> dict:
    """A payment as it stands now.

    "payment" is None until the buyer has picked an asset; then its "missing" is what has yet to arrive. Fulfil once
    "status" is "settled", and not because nothing is missing.
    """
    request = urllib.request.Request(
        os.environ["RAPPEN_URL"] + "/api/v1/intents/" + urllib.parse.quote(intent_id, safe=""),
        headers={"Authorization": f"Bearer {os.environ['RAPPEN_API_KEY']}"},
    )
    # Raises HTTPError on a refusal; its body is a problem document with code, detail and traceId.
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.load(response)
