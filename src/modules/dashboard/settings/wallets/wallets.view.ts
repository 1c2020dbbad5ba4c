import type { NetworkConfig } from '../../../../config/config.types.js';
import { addressGroups } from '../../../../kernel/text/address-text.js';
import type {
  DestinationView,
  ExtendedKeyView,
  WalletPreview,
  WalletSet,
} from '../../../chains/wallets.types.js';
import { GAP_ALARM, GAP_LIMIT, type KeyGap } from '../../../chains/wallets/gaps.types.js';
import { pathWith } from '../../domain/safe-path.js';
import { moment } from '../../domain/times.js';
import type { PlainText } from '../../language/german/german.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../../session/request-context.js';
import type { Tab } from '../tabs.js';

/** The beginning of a public key. Whatever does not look like one is not shown again, lest it be a secret. */
const PUBLIC_KEY = /^[A-Za-z](?:pub|tub)[1-9A-HJ-NP-Za-km-z]{0,120}$/;

export interface WalletsPage {
  readonly tabs: readonly Tab[];
  readonly mayChange: boolean;
  readonly networks: readonly NetworkConfig[];
  readonly keys: readonly ExtendedKeyView[];
  readonly destinations: readonly DestinationView[];
  readonly gaps: readonly KeyGap[];
  /** Whether a network can be paid to one address, which is what its owner is asked for first. */
  readonly byAddress: (network: NetworkConfig) => boolean;
}

export function walletsView(say: Say, page: WalletsPage): PageModel {
  const { tabs, mayChange, networks, keys, destinations, gaps, byAddress } = page;
  return {
    title: say('Settings'),
    tabs,
    mayChange,
    networks: networks.map((network) => {
      const { id, name } = network;
      const key = keys.find((one) => one.networks.includes(id));
      const destination = destinations.find((one) => one.networks.includes(id));
      const since = (key ?? destination)?.createdAt;
      return {
        name,
        hint: key?.hint ?? null,
        destination: destination?.address ?? null,
        isSet: Boolean(key ?? destination),
        nextIndex: key?.nextIndex ?? null,
        isUnsearched: key?.unsearched.includes(id) ?? false,
        since: since ? moment(since) : null,
        change: pathWith(pathTo(byAddress(network) ? 'addressWallet' : 'newWallet'), { network: id }),
      };
    }),
    hasKeys: keys.length > 0,
    gaps: gaps.map(({ hint, unused }) => ({
      hint,
      unused,
      tone: unused >= GAP_LIMIT ? 'bad' : unused >= GAP_ALARM ? 'warn' : 'quiet',
    })),
    hasWallets: keys.length + destinations.length > 0,
    addPath: pathTo(networks.some(byAddress) ? 'addressWallet' : 'newWallet'),
  };
}

/** @param typed kept in the form where it can only be a public key */
export function walletFormView(
  say: Say,
  tabs: readonly Tab[],
  networks: readonly NetworkConfig[],
  network: string,
  typed: string,
): PageModel {
  return {
    title: say('Set a wallet'),
    tabs,
    networks: networks.map((one) => ({
      id: one.id,
      name: one.name,
      account: say(accountOf(one)),
      isChosen: one.id === network,
    })),
    typed: PUBLIC_KEY.test(typed) ? typed : '',
  };
}

export function previewView(
  say: Say,
  tabs: readonly Tab[],
  preview: WalletPreview,
  network: NetworkConfig | null,
  searched: { readonly isAnswered: boolean; readonly sentences: readonly string[] },
): PageModel {
  const { xpub, addresses, nextIndex, isSet } = preview;
  return {
    title: say('Compare the addresses'),
    tabs,
    network: network?.id ?? '',
    networkName: network?.name ?? '',
    xpub,
    addresses: addresses.map((address, index) => ({ index, ...addressGroups(address) })),
    nextIndex: nextIndex === 0 ? null : nextIndex,
    isSet,
    isUnknown: !searched.isAnswered,
    searched: searched.sentences.map(say.told),
  };
}

export function savedText(
  say: Say,
  network: NetworkConfig | null,
  { nextIndex, isSearched }: Pick<WalletSet, 'nextIndex' | 'isSearched'>,
  { isAnswered }: { readonly isAnswered: boolean },
): string {
  const name = network?.name ?? '';
  if (!isSearched)
    return say(
      'Saved. Nobody can pay on {network} yet: its node has not said which addresses of this key were used before. The search goes on by itself, and then it is offered.',
      { network: name },
    );
  const text = isAnswered
    ? 'Saved. The next quote on {network} gets the address of this key at index {index}.'
    : 'Saved. The next quote on {network} gets the address of this key at index {index}. Not every network could be asked what was used before: see the audit log.';
  return say(text, { network: name, index: nextIndex });
}

export function skipView(
  say: Say,
  tabs: readonly Tab[],
  networks: readonly NetworkConfig[],
  keys: readonly ExtendedKeyView[],
  typed: { readonly network: string; readonly to: string },
): PageModel {
  const choices = networks.flatMap(({ id, name }) => {
    const key = keys.find((one) => one.networks.includes(id));
    return key
      ? [
          {
            id,
            text: say('{network}: the next index is {index}', { network: name, index: key.nextIndex }),
            isChosen: id === typed.network,
          },
        ]
      : [];
  });
  return { title: say('Skip addresses'), tabs, networks: choices, to: typed.to };
}

/** What to export from the wallet, in its own words. */
function accountOf({ family, chain }: NetworkConfig): PlainText {
  if (family === 'evm') return 'the account m/44’/60’/0’, written xpub…';
  if (chain !== 'main') return 'the account m/84’/1’/0’ of a test network, written vpub… or tpub…';
  return family === 'bitcoin'
    ? 'the account m/84’/0’/0’, written zpub… or xpub…'
    : 'the account m/84’/2’/0’, written zpub…, Ltub… or xpub…';
}
