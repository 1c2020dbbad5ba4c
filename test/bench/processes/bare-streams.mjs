// The ceiling of open pages: `node:http` with as many streams, which knows nothing of payments.
import { createServer } from 'node:http';
import { answerCalls } from './calls.mjs';

const streams = new Set();

/** @param data of one event @returns the port */
async function serve({ data }) {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`\ndata: ${data}\n\n`);
    streams.add(response);
    request.on('close', () => streams.delete(response));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', 1_000, () => resolve(undefined)));
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

function tell({ data }) {
  for (const response of streams) response.write(`\ndata: ${data}\n\n`);
}

const memory = () => process.memoryUsage().rss;

answerCalls({ serve, tell, memory });
