import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { CannotStart } from '../../../platform/process/cannot-start.js';
import { assetKey } from '../domain/asset-key.js';

/** Asked first, so that a command that only reads also runs on a standby, which takes no writes. */
const ASK = `
  SELECT pg_is_in_recovery() AS "isStandby", EXISTS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) EXCEPT
    SELECT network, asset_key, symbol, decimals FROM known_asset) AS "anyNew"`;

const REMEMBER = `
  INSERT INTO known_asset (network, asset_key, symbol, decimals)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) ON CONFLICT DO NOTHING`;

/** In a statement of its own: only so does it see what another instance has written meanwhile. */
const OTHERWISE = `
  SELECT f.network, f.asset_key AS key, f.symbol, f.decimals,
         k.asset_key AS "knownKey", k.symbol AS "knownSymbol", k.decimals AS "knownDecimals"
    FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) AS f (network, asset_key, symbol, decimals)
    JOIN known_asset k ON k.network = f.network AND (k.asset_key = f.asset_key OR k.symbol = f.symbol)
   WHERE (k.asset_key, k.symbol, k.decimals) <> (f.asset_key, f.symbol, f.decimals)
   ORDER BY f.network, f.symbol, k.symbol`;

type Otherwise = Record<'network' | 'key' | 'symbol' | 'knownKey' | 'knownSymbol', string> &
  Record<'decimals' | 'knownDecimals', number>;

const UNDEFINED_TABLE = '42P01';

/**
 * The ledger names assets by their symbols. Under another symbol nothing recorded would count, and the whole balance of
 * an address would be taken for new money; so no process runs with one (ADR 46), the command line included.
 */
@Injectable()
export class KnownAssets implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws CannotStart naming every asset that is configured otherwise than before */
  async onModuleInit(): Promise<void> {
    const assets = this.config.networks.flatMap(({ id: network, assets: listed }) =>
      listed.map((asset) => ({ network, key: assetKey(asset), ...asset })),
    );
    const values = [
      assets.map(({ network }) => network),
      assets.map(({ key }) => key),
      assets.map(({ symbol }) => symbol),
      assets.map(({ decimals }) => decimals),
    ];
    try {
      await this.dataSource.transaction(async (tx) => {
        const [asked] = await tx.query<{ isStandby: boolean; anyNew: boolean }[]>(ASK, values);
        if (!asked?.anyNew) return;
        if (!asked.isStandby) await tx.query(REMEMBER, values);
        const otherwise = await tx.query<Otherwise[]>(OTHERWISE, values);
        // Nothing of such a configuration is remembered.
        if (otherwise.length > 0) throw new CannotStart(otherwise.map(sentence).join('\n'));
      });
    } catch (error) {
      // Nothing else is done with it, and the process can end at once.
      await this.dataSource.destroy();
      if (fieldsOf(error).code !== UNDEFINED_TABLE) throw error;
      throw new CannotStart('The database is from an older version. Run “rappen migrate” first.', {
        cause: error,
      });
    }
  }
}

function sentence(one: Otherwise): string {
  const { network, key, symbol, decimals, knownKey, knownSymbol, knownDecimals } = one;
  const known = `${knownSymbol} with ${knownDecimals} decimals on ${network} is ${place(knownKey)}`;
  return (
    `${known}, and the configuration says that ${symbol} with ${decimals} decimals is ${place(key)}. What an asset ` +
    'is called never changes once it was configured: set it back, or give the new asset a symbol of its own.'
  );
}

const place = (key: string) => (key === 'native' ? 'its own coin' : `the contract ${key}`);
