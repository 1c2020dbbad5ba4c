import json
import os
import urllib.request


def create_payment(order_id: str, attempt: int, total: float) -> dict:
    """Creates the payment of an order. Keep its id with the order, and redirect the buyer: 303 to checkoutUrl.

    A repeated key returns the payment that it made first: a second attempt at an order takes a new key.
    """
    body = {
        "amount": total,
        "currency": "CHF",
        "title": f"Order {order_id}",
        "idempotencyKey": f"order-{order_id}-{attempt}",
        "returnUrl": f"https://shop.example/orders/{order_id}",
    }
    request = urllib.request.Request(
        os.environ["RAPPEN_URL"] + "/api/v1/intents",
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {os.environ['RAPPEN_API_KEY']}", "Content-Type": "application/json"},
    )
    # Raises HTTPError on a refusal; its body is a problem document with code, detail and traceId.
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.load(response)
