import type { INestApplicationContext } from '@nestjs/common';
import { WriteBehind } from '../../../src/modules/accounts/audit/write-behind.js';

/** What refusals leave in the database is written after their answers: now all of it is there. */
export async function written({ app }: { readonly app: INestApplicationContext }): Promise<void> {
  await app.get(WriteBehind).write();
}
