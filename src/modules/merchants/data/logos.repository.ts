import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

const PUT = `
  INSERT INTO merchant_logo (merchant_id, hash, png) VALUES ($1, $2, $3)
  ON CONFLICT (merchant_id) DO UPDATE SET hash = EXCLUDED.hash, png = EXCLUDED.png`;

/** The bytes of logos, one for each merchant. Two that have the same picture have the same address. */
@Injectable()
export class LogosRepository {
  constructor(private readonly dataSource: DataSource) {}

  async put(tx: EntityManager, merchantId: string, hash: string, png: Uint8Array): Promise<void> {
    await tx.query(PUT, [merchantId, hash, Buffer.from(png)]);
  }

  async remove(tx: EntityManager, merchantId: string): Promise<void> {
    await tx.query('DELETE FROM merchant_logo WHERE merchant_id = $1', [merchantId]);
  }

  async find(hash: string): Promise<Buffer | null> {
    const [row] = await this.dataSource.query<{ png: Buffer }[]>(
      'SELECT png FROM merchant_logo WHERE hash = $1 LIMIT 1',
      [hash],
    );
    return row?.png ?? null;
  }
}
