import type { Family } from '../../../../config/config.types.js';

export interface KeyVersions {
  readonly public: number;
  readonly private: number;
  /** Families whose addresses we would derive from such a key as its owner's wallet does. */
  readonly families: readonly Family[];
  /** A key of test networks: on a main network nobody could spend what it receives, and the other way round. */
  readonly isTest?: true;
}

/**
 * Version bytes of extended keys by the four letters that they spell (SLIP-132). A kind without a family is
 * known only so that its private half is recognised: wallets derive other scripts from it than we would.
 */
export const PUBLIC_KEY_KINDS: Readonly<Record<string, KeyVersions>> = {
  xpub: { public: 0x0488b21e, private: 0x0488ade4, families: ['evm', 'bitcoin', 'litecoin'] },
  zpub: { public: 0x04b24746, private: 0x04b2430c, families: ['bitcoin', 'litecoin'] },
  tpub: { public: 0x043587cf, private: 0x04358394, families: ['bitcoin', 'litecoin'], isTest: true },
  vpub: { public: 0x045f1cf6, private: 0x045f18bc, families: ['bitcoin', 'litecoin'], isTest: true },
  Ltub: { public: 0x019da462, private: 0x019d9cfe, families: ['litecoin'] },
  ttub: { public: 0x0436f6e1, private: 0x0436ef7d, families: ['litecoin'], isTest: true },
  ypub: { public: 0x049d7cb2, private: 0x049d7878, families: [] },
  Ypub: { public: 0x0295b43f, private: 0x0295b005, families: [] },
  Zpub: { public: 0x02aa7ed3, private: 0x02aa7a99, families: [] },
  upub: { public: 0x044a5262, private: 0x044a4e28, families: [] },
  Upub: { public: 0x024289ef, private: 0x024285b5, families: [] },
  Vpub: { public: 0x02575483, private: 0x02575048, families: [] },
  Mtub: { public: 0x01b26ef6, private: 0x01b26792, families: [] },
};
