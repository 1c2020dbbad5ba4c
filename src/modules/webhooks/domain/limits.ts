/** Deliveries under way at once in one process. Fewer starve a busy instance, more only move the queue into the
 * receivers' accept backlogs and our sockets. */
export const MAX_IN_FLIGHT = 64;

/** Of one endpoint: a receiver that hangs takes this many slots for 10 s and no more. */
export const MAX_PER_ENDPOINT = 4;

/** Of endpoints whose last attempt failed: a hoster's outage takes down many endpoints at once, and the slots that
 * they hang in must not be all. */
export const MAX_FAILING_IN_FLIGHT = 32;

/** How long the slot of an endpoint rests after a failed try: with its four, an endpoint that only fails is tried
 * once a second. Without it, whoever answers with the most expensive nonsense at once is asked for it without a pause. */
export const FAILED_SLOT_REST_MS = 4_000;

/** Slots that rest in one process. Beyond this endpoints that fail wait for each other, so that all of them together
 * cost fifty failed tries a second, one or two milliseconds each, however many they are. */
export const MAX_RESTING = 200;

/** Longer than an attempt's 10 s and the write of its result; short enough that what a dead process held is sent
 * again within a minute. */
export const LEASE_S = 30;

/** Results that wait for the database. Beyond this nothing more is sent, because what cannot be recorded would be
 * sent again. */
export const MAX_UNRECORDED = 512;

/** Nor while a result has waited this long: on a database that is slow, few results fill a lease as well as many. */
export const MAX_UNRECORDED_MS = 5_000;

/** Results of one statement. */
export const RECORD_BATCH = 256;

/** How long the first result of a batch waits for company. */
export const RECORD_LINGER_MS = 20;

/** Pause after the database refused a batch. */
export const RECORD_RETRY_MS = 1_000;

/** Longest pause between two looks at the table: what other instances wrote waits for this. */
export const POLL_MS = 250;

/** How often what crashed processes and races left behind is looked for. */
export const RECOVER_EVERY_MS = 2_000;

/** How soon a merchant is told that an endpoint was disabled: it has failed for days, so this is no hurry. */
export const NOTICE_EVERY_MS = 10_000;

/** Longer than one attempt, so that a normal stop leaves nothing under way. */
export const SHUTDOWN_GRACE_MS = 15_000;

/** An endpoint is disabled after this long without a success … */
export const DISABLE_AFTER_DAYS = 5;

/** … and at least so many failures, so that one lost event in a quiet week disables nothing. */
export const DISABLE_AFTER_FAILURES = 10;
