-- Whether a network shares no block with its node and cannot go on by itself: so far the words of the reason said it.
ALTER TABLE watch_failure ADD COLUMN halted boolean NOT NULL DEFAULT false;
UPDATE watch_failure SET halted = true WHERE reason LIKE 'the node shares none of the%';
