import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type Address, erc20Abi, parseEther, parseUnits } from 'viem';
import type { TestAnvil } from '../nodes/anvil.js';
import { complaintsOf } from './reading.js';

export interface Phone extends BrowserContextOptions {
  /** Before the page is loaded: routes, scripts, listeners. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** A person with a phone and a wallet. */
export class Buyer {
  /** What the consoles of all pages since `leave` have complained about. */
  readonly complaints: string[] = [];
  private readonly contexts: BrowserContext[] = [];

  constructor(
    private readonly browser: Browser,
    private readonly anvil: TestAnvil,
  ) {}

  /** Every page is on a phone of its own, so that no test sees another's cache, history or permissions. */
  async open(url: string, { prepare, ...options }: Phone = {}): Promise<Page> {
    const viewport = options.viewport ?? { width: 390, height: 844 };
    const hasTouch = viewport.width < 1000;
    const context = await this.browser.newContext({ viewport, hasTouch, ...options });
    this.contexts.push(context);
    const page = await context.newPage();
    complaintsOf(page, this.complaints);
    await prepare?.(page);
    await page.goto(url);
    return page;
  }

  /** Sends real USDC; it is in a block when this resolves. */
  async send(to: string, amount: string): Promise<void> {
    const { testClient, tokens } = this.anvil;
    const [account] = await testClient.getAddresses();
    const hash = await testClient.writeContract({
      account: account!,
      address: tokens.USDC.address,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [to as Address, parseUnits(amount, 6)],
    });
    await testClient.waitForTransactionReceipt({ hash });
  }

  /** The same of the chain's own coin. */
  async sendCoin(to: string, amount: string): Promise<void> {
    const { testClient } = this.anvil;
    const [account] = await testClient.getAddresses();
    const value = parseEther(amount);
    const hash = await testClient.sendTransaction({ account: account!, to: to as Address, value });
    await testClient.waitForTransactionReceipt({ hash });
  }

  async leave(): Promise<void> {
    this.complaints.length = 0;
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }
}

export const pick = (page: Page, asset: string) =>
  page.locator('.option', { has: page.getByText(asset, { exact: true }) }).click();

export async function reach(page: Page, state: string, timeout = 60_000): Promise<void> {
  await page.locator(`main[data-state="${state}"]`).waitFor({ timeout });
}

/** The exact amount and address, as the page shows them. */
export async function shown(page: Page): Promise<{ amount: string; address: string }> {
  const read = async (id: string) => (await page.locator(id).textContent())?.trim() ?? '';
  await page.locator('#address').waitFor();
  return { amount: await read('#amount'), address: await read('#address') };
}
