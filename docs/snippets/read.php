<?php

/**
 * A payment as it stands now. Its payment is null until the buyer has picked an asset; then its missing is what has yet
 * to arrive. Fulfil once the status is settled, and not because nothing is missing.
 */
function readPayment(string $id): array
{
    $context = stream_context_create(['http' => [
        'header' => ['Authorization: Bearer ' . getenv('RAPPEN_API_KEY')],
        'timeout' => 20,
        'ignore_errors' => true,
    ]]);
    $url = getenv('RAPPEN_URL') . '/api/v1/intents/' . rawurlencode($id);
    $answer = json_decode((string) file_get_contents($url, false, $context), true, 32, JSON_THROW_ON_ERROR);
    if (isset($answer['code'])) {
        throw new RuntimeException("$answer[code]: $answer[detail] (traceId $answer[traceId])");
    }
    return $answer;
}
