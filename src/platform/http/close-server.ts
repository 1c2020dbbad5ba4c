import type { Server } from 'node:http';

/** For requests that are under way once everything else has ended. A client that reads slower is cut off. */
const DEADLINE_MS = 10_000;
/** A connection whose answer has just ended is idle, and Node closes only those that were so at the beginning. */
const CLOSE_IDLE_EVERY_MS = 50;

/** Takes no new connection, answers what is under way, and resolves by the deadline at the latest. */
export async function closeServer(server: Server, deadlineMs: number = DEADLINE_MS): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idle);
  clearTimeout(deadline);
}
