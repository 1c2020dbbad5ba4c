import type { BitcoinChain, Family } from './config.types.js';

/**
 * The first blocks of the chains that we know. Networks that are not here are held to the one that they had at first
 * contact.
 */
export const EVM_GENESIS = {
  ethereum: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  base: '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd',
  polygon: '0xa9c28ce2141b56c474f1dc504bee9b01eb1bd7d1a507580d5519d4437a97de1b',
  arbitrum: '0x7ee576b35482195fc49205cec9af72ce14f003b9ae69f6ba0faef4514be8b442',
} as const;

/** Coins share the names of their chains, so the name alone would let one pass as another. */
export const BITCOIN_GENESIS: Readonly<
  Record<Exclude<Family, 'evm'>, Readonly<Record<BitcoinChain, readonly string[]>>>
> = {
  bitcoin: {
    main: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
    test: [
      '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943', // testnet3
      '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043', // testnet4
      '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6', // signet
    ],
    regtest: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
  },
  litecoin: {
    main: ['12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2'],
    test: ['4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0'],
    regtest: ['530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'],
  },
};
