<?php

/**
 * The event of a delivery; throws when it is not ours, was changed, or is older than five minutes.
 * $secret: whsec_…, as the endpoint's creation showed it. $headers: of the request, names in lower case.
 * $body: the bytes as they came, file_get_contents('php://input').
 */
function verifyWebhook(string $secret, array $headers, string $body): array
{
    $id = $headers['webhook-id'] ?? '';
    $sentAt = $headers['webhook-timestamp'] ?? '';
    if (!preg_match('/^\d+$/', $sentAt) || abs(time() - (int) $sentAt) > 300) {
        throw new RuntimeException('webhook: too old');
    }

    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    if (strlen($key) < 24) {
        throw new RuntimeException('webhook: the secret is missing');
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return json_decode($body, true, 32, JSON_THROW_ON_ERROR);
        }
    }
    throw new RuntimeException('webhook: wrong signature');
}
