// The buyers: open pages' event streams on bare sockets, each from an address of its own.
import { connect } from 'node:net';
import { answerCalls } from './calls.mjs';

/** A page that says so much in one event of data, and only beats otherwise. */
const TOLD = Buffer.from('\ndata: {');
/** As many at once as a listening socket keeps waiting. */
const OPENING = 100;

/** @type {{ told: number, toldMs: number }[]} */
const pages = [];

/** Resolves once the page has been told its present state. */
function open(port, path, n) {
  return new Promise((resolve, reject) => {
    const page = { told: 0, toldMs: 0 };
    let last = 'no answer';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('data', (chunk) => {
      last = chunk.toString('latin1', 0, 500);
      if (!chunk.includes(TOLD)) return;
      page.told += 1;
      page.toldMs = performance.now();
      resolve(undefined);
    });
    const broken = (error) => reject(error ?? new Error(`a stream of ${pages.length} ended: ${last}`));
    socket.on('error', broken).on('close', () => broken());
    const from = `x-forwarded-for: 10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    const head = `host: localhost:${port}\r\naccept: text/event-stream\r\n${from}`;
    socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
    pages.push(page);
  });
}

async function openAll({ port, paths }) {
  const startedMs = performance.now();
  let next = 0;
  const work = async () => {
    for (let n = next++; n < paths.length; n = next++) await open(port, paths[n], n);
  };
  await Promise.all(Array.from({ length: OPENING }, work));
  return performance.now() - startedMs;
}

let askedMs = 0;

/** Of what comes from now on `told` speaks. */
function listen() {
  askedMs = performance.now();
  for (const page of pages) page.told = 0;
}

/** @returns milliseconds until half of them, and until the last, had been told something */
async function told() {
  while (pages.some((page) => page.told === 0)) await new Promise((resolve) => setTimeout(resolve, 5));
  const times = pages.map((page) => page.toldMs - askedMs).sort((a, b) => a - b);
  return { halfMs: times[Math.floor(times.length / 2)], lastMs: times.at(-1) };
}

answerCalls({ openAll, listen, told });
