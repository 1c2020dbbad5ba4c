import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { CannotStart } from '../../../platform/process/cannot-start.js';
import { KnownAssetsRepository, type OtherwiseKnown } from '../data/known-assets.repository.js';
import { assetKey } from '../domain/asset-key.js';

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
    private readonly rows: KnownAssetsRepository,
  ) {}

  /** @throws CannotStart naming every asset that is configured otherwise than before */
  async onModuleInit(): Promise<void> {
    const assets = this.config.networks.flatMap(({ id: network, assets: listed }) =>
      listed.map((asset) => ({
        network,
        key: assetKey(asset),
        symbol: asset.symbol,
        decimals: asset.decimals,
      })),
    );
    try {
      await this.dataSource.transaction(async (tx) => {
        const { anyNew, isStandby } = await this.rows.ask(tx, assets);
        if (!anyNew) return;
        if (!isStandby) await this.rows.remember(tx, assets);
        const otherwise = await this.rows.otherwise(tx, assets);
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

function sentence(one: OtherwiseKnown): string {
  const { network, key, symbol, decimals, knownKey, knownSymbol, knownDecimals } = one;
  const known = `${knownSymbol} with ${knownDecimals} decimals on ${network} is ${place(knownKey)}`;
  return (
    `${known}, and the configuration says that ${symbol} with ${decimals} decimals is ${place(key)}. What an asset ` +
    'is called never changes once it was configured: set it back, or give the new asset a symbol of its own.'
  );
}

const place = (key: string) => (key === 'native' ? 'its own coin' : `the contract ${key}`);
