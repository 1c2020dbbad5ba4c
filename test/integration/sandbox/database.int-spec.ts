import { Client } from 'pg';
import { createTestDatabase } from '../../support/database/database.js';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  it('gives every caller a migrated database of its own', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.url, 'CREATE TABLE only_here ()');
    await expect(query(other.url, 'SELECT FROM only_here')).rejects.toThrow('does not exist');
    expect(await query(one.url, 'SELECT FROM migrations')).not.toHaveLength(0);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });

  it('is dropped even while a connection is open', async () => {
    const { url, drop } = await createTestDatabase();
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await drop();
    await expect(query(url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});
