import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** The first line of standard input. At a terminal it asks, on standard error, and what is typed is not shown. */
export async function readSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY });
  try {
    for await (const line of lines) return line.trim();
    throw new Error('Nothing came on standard input.');
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
