import { fieldsOf } from '../../kernel/error-fields.js';

/** Says what stands in the way of a start, in words that tell what to do: no stack trace would tell more. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be opened by this user: ports below 1024 need a privilege',
  EADDRNOTAVAIL: 'cannot be opened: this machine has no such address',
  ENOTFOUND: 'cannot be opened: HOST names no address',
};

/**
 * Waits until a server listens.
 * @param name of the variable that says which port
 * @throws CannotStart where the system does not let it
 */
export async function listening(
  name: string,
  port: number,
  host: string,
  server: Promise<unknown>,
): Promise<void> {
  try {
    await server;
  } catch (error) {
    const why = WHY[String(fieldsOf(error).code)];
    if (why === undefined) throw error;
    throw new CannotStart(`Port ${port} of ${host} ${why}. Set ${name} or HOST to another.`, {
      cause: error,
    });
  }
}
