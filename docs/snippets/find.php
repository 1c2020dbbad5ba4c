<?php

/** The payment that was created with this key, or null: for an order whose answer got lost. */
function findPayment(string $idempotencyKey): ?array
{
    $context = stream_context_create(['http' => [
        'header' => ['Authorization: Bearer ' . getenv('RAPPEN_API_KEY')],
        'timeout' => 20,
        'ignore_errors' => true,
    ]]);
    $url = getenv('RAPPEN_URL') . '/api/v1/intents?' . http_build_query(['idempotencyKey' => $idempotencyKey]);
    $page = json_decode((string) file_get_contents($url, false, $context), true, 32, JSON_THROW_ON_ERROR);
    if (!isset($page['items'])) {
        throw new RuntimeException("$page[code]: $page[detail] (traceId $page[traceId])");
    }
    return $page['items'][0] ?? null;
}
