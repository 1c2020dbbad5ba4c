<?php

/**
 * Calls a payment off, and tells its status. One that is cancelled already is answered the same; one that is complete or
 * over otherwise is refused with 409: fulfil that order, or ask a person.
 */
function cancelPayment(string $id): string
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Authorization: Bearer ' . getenv('RAPPEN_API_KEY')],
        'timeout' => 20,
        'ignore_errors' => true,
    ]]);
    $url = getenv('RAPPEN_URL') . '/api/v1/intents/' . rawurlencode($id) . '/cancel';
    $answer = json_decode((string) file_get_contents($url, false, $context), true, 32, JSON_THROW_ON_ERROR);
    if (isset($answer['code'])) {
        throw new RuntimeException("$answer[code]: $answer[detail] (traceId $answer[traceId])");
    }
    return $answer['status'];
}
