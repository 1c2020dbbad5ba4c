<?php

/**
 * Creates the payment of an order. Keep its id with the order, and redirect the buyer:
 * header('Location: ' . $payment['checkoutUrl'], true, 303).
 * A repeated key returns the payment that it made first: a second attempt at an order takes a new key.
 */
function createPayment(string $orderId, int $attempt, float $total): array
{
    $body = [
        'amount' => $total,
        'currency' => 'CHF',
        'title' => "Order $orderId",
        'idempotencyKey' => "order-$orderId-$attempt",
        'returnUrl' => "https://shop.example/orders/$orderId",
    ];
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Authorization: Bearer ' . getenv('RAPPEN_API_KEY'), 'Content-Type: application/json'],
        'content' => json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 20,
        'ignore_errors' => true,
    ]]);
    $text = file_get_contents(getenv('RAPPEN_URL') . '/api/v1/intents', false, $context);
    $answer = json_decode((string) $text, true, 32, JSON_THROW_ON_ERROR);
    if (!isset($answer['checkoutUrl'])) {
        throw new RuntimeException("$answer[code]: $answer[detail] (traceId $answer[traceId])");
    }
    return $answer;
}
