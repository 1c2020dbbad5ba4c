import type { BrowserContext } from 'playwright-core';
import { rpc } from '../nodes/node-rpc.js';

export interface WalletRefusal {
  readonly code: number;
  readonly message?: string;
}

/** As common wallets answer to a `chainId` that is not theirs; without one they send wherever they are. */
const OTHER_CHAIN = { code: -32602, message: 'Provided chainId does not match the active chain.' };

/** In the page: it asks the test. */
const PROVIDER = `{
    request: async ({ method, params }) => {
      const { result, refusal } = await window.walletAsk(method, params ?? []);
      if (refusal) throw Object.assign(new Error(refusal.message ?? 'refused'), { code: refusal.code });
      return result;
    },
  }`;
const announce = (name: string) => `
  const provider = ${PROVIDER};
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
  const info = { uuid: 'd0b0', name: ${JSON.stringify(name)}, icon, rdns: 'test.wallet' };
  window.addEventListener('eip6963:requestProvider', () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } })),
  );`;

/** A wallet as extensions announce it (EIP-6963), whose account the test's chain signs for. */
export class BrowserWallet {
  /** The methods, in their order. */
  readonly asked: string[] = [];
  /** The transactions that it was asked to send. */
  readonly sending: { to: string; data: string; value: string; chainId?: string }[] = [];
  /** The chains on which it would have sent: the one it is on when its person agrees. */
  readonly sentOn: string[] = [];
  /** What it answers instead of doing it, by method. */
  readonly refusals = new Map<string, WalletRefusal>();
  /** What happens elsewhere while its person reads, by method. */
  readonly meanwhile = new Map<string, () => Promise<unknown>>();
  /** Whether it says that it has sent, and no block ever takes it. */
  loses = false;
  chainId = '0x1';
  /** How much it allows without asking the node first, which would refuse what fails. */
  gas: string | null = null;

  constructor(
    private readonly rpcUrl: string,
    public account: string,
  ) {}

  get sent(): number {
    return this.asked.filter((method) => method === 'eth_sendTransaction').length;
  }

  async announceIn(context: BrowserContext, name = 'Test Wallet'): Promise<void> {
    await this.beIn(context, announce(name));
  }

  /** As the browsers of some apps have theirs: there, and without a word. */
  async keepSilentIn(context: BrowserContext): Promise<void> {
    await this.beIn(context, `window.ethereum = ${PROVIDER};`);
  }

  private async beIn(context: BrowserContext, content: string): Promise<void> {
    await context.exposeFunction('walletAsk', (method: string, params: readonly unknown[]) =>
      this.answer(method, params),
    );
    await context.addInitScript({ content });
  }

  private async answer(
    method: string,
    params: readonly unknown[],
  ): Promise<{ result?: unknown; refusal?: WalletRefusal }> {
    this.asked.push(method);
    if (method === 'eth_sendTransaction') this.sending.push(params[0] as (typeof this.sending)[number]);
    await this.meanwhile.get(method)?.();
    const refusal = this.refusals.get(method);
    if (refusal) return { refusal };
    switch (method) {
      case 'eth_requestAccounts':
        return { result: [this.account] };
      case 'eth_chainId':
        return { result: this.chainId };
      case 'wallet_switchEthereumChain':
        ({ chainId: this.chainId } = params[0] as { chainId: string });
        return { result: null };
    }
    if (method === 'eth_sendTransaction') {
      const { chainId = this.chainId } = params[0] as { chainId?: string };
      if (Number(chainId) !== Number(this.chainId)) return { refusal: OTHER_CHAIN };
      this.sentOn.push(this.chainId);
    }
    if (method === 'eth_sendTransaction' && this.loses) return { result: `0x${'0a'.repeat(32)}` };
    if (method === 'eth_sendTransaction' && this.gas !== null) {
      const [transaction] = params as [object];
      return { result: await rpc(this.rpcUrl, method, [{ ...transaction, gas: this.gas }]) };
    }
    return { result: await rpc(this.rpcUrl, method, [...params]) };
  }
}
