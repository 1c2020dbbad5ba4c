import { createServer } from 'node:net';
import { CannotStart } from '../../platform/process/cannot-start.js';

/** Better to learn of a taken port now than after the database and the chain have been started. */
export async function requireFreePort(name: string, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () =>
      reject(
        new CannotStart(`Port ${port} is taken. Choose another, for example: ${name}=${port + 10} npm start`),
      ),
    );
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
