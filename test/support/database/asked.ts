import { Client } from 'pg';

/** A statement that PostgreSQL was asked for. */
export interface Asked {
  readonly connection: unknown;
  /** Of a prepared statement its name, of another its first two words. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What this process asked for while `work` was done, in that order: also what jobs asked for beside it. */
export async function askedBy(work: () => Promise<unknown>): Promise<Asked[]> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.map(([config], nth) => ({
      connection: query.mock.contexts[nth],
      ...statementOf(config as Config),
    }));
  } finally {
    query.mockRestore();
  }
}

type Config =
  string | { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] };

function statementOf(config: Config) {
  const { name = undefined, text, values = [] } = typeof config === 'string' ? { text: config } : config;
  return { name: name ?? text.trim().split(/\s+/, 2).join(' '), text, values };
}
