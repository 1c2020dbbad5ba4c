<?php

/**
 * Applies every event after the one with this id (null: from the first), oldest first. Keep what it returns: it is
 * where the next call goes on.
 */
function catchUp(?string $after, callable $apply): ?string
{
    do {
        $query = http_build_query(['pageSize' => 100] + ($after === null ? [] : ['after' => $after]));
        $context = stream_context_create(['http' => [
            'header' => ['Authorization: Bearer ' . getenv('RAPPEN_API_KEY')],
            'timeout' => 20,
            'ignore_errors' => true,
        ]]);
        $text = file_get_contents(getenv('RAPPEN_URL') . "/api/v1/events?$query", false, $context);
        $page = json_decode((string) $text, true, 32, JSON_THROW_ON_ERROR);
        if (!isset($page['items'])) {
            throw new RuntimeException("$page[code]: $page[detail] (traceId $page[traceId])");
        }
        foreach ($page['items'] as $event) {
            $apply($event);
            $after = $event['id'];
        }
    } while ($page['hasMore']);
    return $after;
}
