import { Command } from 'commander';
import { sandboxPlaces } from '../config/load-config.js';
import { processEnv } from '../config/process.js';
import { readSandboxFile, type SandboxFile } from '../modules/sandbox/sandbox-home.service.js';
import { fail } from './output.js';
import { sendCoins } from './send-coins.js';
import { sendOnEthereum } from './send-on-ethereum.js';

interface PayOptions {
  readonly asset?: string;
  readonly network: string;
  readonly amount?: string;
}

/** What `/pay/:id/status` tells of a payment. */
interface Status {
  readonly status: string;
  readonly asset: string | null;
  readonly network: string | null;
  readonly depositAddress: string | null;
  readonly missing: string | null;
}

new Command('pay')
  .description('Play the buyer in the running sandbox: pick at the checkout, send a real transaction.')
  .argument('<intent>', 'intent id or checkout URL')
  .option('--asset <symbol>', 'asset to pick; USDC, or the coin of the network, unless one has been picked')
  .option('--network <id>', 'network to pay on', 'ethereum')
  .option('--amount <amount>', 'amount to send instead of what is missing')
  .action(async (intent: string, options: PayOptions) => {
    const sandbox = readSandboxFile(sandboxPlaces(processEnv()).dataDir);
    const page = `${sandbox.checkoutUrl}/pay/${idOf(intent)}`;
    const quoted = await pick(page, options, sandbox);
    const amount = options.amount ?? quoted.missing ?? '0';
    const txid = await send(sandbox, quoted, amount);
    process.stdout.write(`Sent ${amount} ${quoted.asset} on ${quoted.network}: ${txid}\nWatch it: ${page}\n`);
  })
  .parseAsync()
  .catch(fail);

function idOf(intent: string): string {
  return /pi_[0-9a-z]+/.exec(intent)?.[0] ?? intent;
}

/** Chooses as the page's form does, unless the wanted asset is chosen already. */
async function pick(page: string, options: PayOptions, { networks }: SandboxFile): Promise<Status> {
  const before = await status(page);
  const { network } = options;
  const coin = network === 'litecoin' || network === 'bitcoin' ? networks[network]?.asset : undefined;
  const picked = before.network === network ? before.asset : null;
  const asset = options.asset ?? picked ?? coin ?? 'USDC';
  if (before.asset !== asset || before.network !== network) {
    const response = await fetch(`${page}/asset`, {
      method: 'POST',
      body: new URLSearchParams({ asset, network }),
      redirect: 'manual',
    });
    const notice = new URL(response.headers.get('location') ?? '', page).searchParams.get('notice');
    if (response.status !== 303 || notice)
      throw new Error(`The checkout did not accept ${asset}: ${notice ?? response.status}`);
  }
  return status(page);
}

async function status(page: string): Promise<Status> {
  const response = await fetch(`${page}/status`);
  if (!response.ok) throw new Error(`The checkout answered ${response.status} for ${page}`);
  return (await response.json()) as Status;
}

/** On the network that was picked, from the sandbox's buyer. @returns the transaction's id */
function send({ networks }: SandboxFile, quoted: Status, amount: string): Promise<string> {
  const { network, asset, depositAddress: to } = quoted;
  if (!asset || !to) throw new Error(`This payment is ${quoted.status}; there is nothing to send.`);
  if (network === 'ethereum') return sendOnEthereum(networks.ethereum, { to, asset, amount });
  const coin = network === 'litecoin' || network === 'bitcoin' ? networks[network] : undefined;
  if (!coin) throw new Error(`The sandbox has no node for ${network}.`);
  return sendCoins(coin, { to, amount });
}
