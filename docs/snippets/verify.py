import base64
import hashlib
import hmac
import json
import time


def verify_webhook(secret: str, headers: dict, body: bytes) -> dict:
    """The event of a delivery; raises ValueError when it is not ours, was changed, or is older than five minutes.

    secret: whsec_…, as the endpoint's creation showed it. headers: of the request, names in lower case.
    body: the bytes as they came, before any parser.
    """
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        raise ValueError("webhook: too old")

    key = base64.b64decode(secret.removeprefix("whsec_"))
    if len(key) < 24:
        raise ValueError("webhook: the secret is missing")
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(one, expected) for one in given):
        raise ValueError("webhook: wrong signature")
    return json.loads(body)
