import type { Command } from 'commander';
import { messageOf } from '../../../kernel/error-fields.js';
import type {
  ChainVerdict,
  Difference,
} from '../../../modules/chains/reconciliation/reconciliation.types.js';
import { type Finding, InvariantsService } from '../../../modules/intents/reporting/invariants.service.js';
import { UnwatchedAssets } from '../../../modules/intents/reporting/unwatched-assets.service.js';
import { RefundFollower } from '../../../modules/intents/review/refund-follower.service.js';
import { withApp } from '../../context.js';
import { forPeople, print } from '../../output.js';

interface CheckOptions {
  readonly chain?: boolean;
  readonly network?: string;
}

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('verify the invariants of all stored money; exit status 1 when one is broken')
    .option(
      '--chain',
      'instead compare what is recorded with what the chains hold; exit status 1 unless it is the same',
    )
    .option('--network <id>', 'with --chain: one network only')
    .action(async ({ chain, network }: CheckOptions, command: Command) => {
      if (chain) return checkChains(network, command);
      const findings = await withApp((app) => app.get(InvariantsService).check());
      print(command, findings, () => forPeople(findings) + verdict(findings));
      if (findings.some(({ violations }) => violations > 0)) process.exitCode = 1;
    });
}

function verdict(findings: readonly Finding[]): string {
  const broken = findings.filter(({ violations }) => violations > 0);
  if (broken.length === 0) return `\nAll ${findings.length} invariants hold.\n`;
  return `\nBROKEN: ${broken.map(({ invariant }) => invariant).join(', ')}\n`;
}

async function checkChains(network: string | undefined, command: Command): Promise<void> {
  const { networks, refunds } = await withApp(async (app) => {
    const networks = await app.get(UnwatchedAssets).check(network);
    return { networks, refunds: await refundsOn(networks, app.get(RefundFollower)) };
  });
  if (networks.length === 0) throw new Error(`There is no network "${network}" in this instance.`);
  const isClean = networks.every(({ needsAttention }) => !needsAttention) && refunds.every(isThere);
  const isWhole =
    networks.every(({ incomparable }) => Object.keys(incomparable).length === 0) &&
    refunds.every(({ untold }) => untold === 0);
  const result = { verdict: isClean ? 'clean' : 'different', networks: networks.map(toJson), refunds };
  const lines = [...networks.map(say), ...refunds.map(sayRefunds)];
  print(command, result, () => lines.join('') + chainVerdict(isClean, isWhole));
  if (!isClean) process.exitCode = 1;
}

/** Final refunds of a network, against the blocks that its node has now. */
interface ComparedRefunds {
  readonly network: string;
  readonly compared: number;
  /** Of which the node does not say it. */
  readonly untold: number;
  readonly missing: readonly string[];
  /** Why they were not compared. */
  readonly reason: string | null;
}

/** What a network's node did not answer is said once, with its money. */
function refundsOn(networks: readonly ChainVerdict[], follower: RefundFollower): Promise<ComparedRefunds[]> {
  const asked = networks.filter(({ verdict }) => verdict !== 'unasked');
  return Promise.all(
    asked.map(({ network }) =>
      follower.missing(network).then(
        (found) => ({ network, ...found, reason: null }),
        (error: unknown) => ({
          network,
          compared: 0,
          untold: 0,
          missing: [],
          reason: messageOf(error),
        }),
      ),
    ),
  );
}

const isThere = ({ missing, reason }: ComparedRefunds) => missing.length === 0 && reason === null;

function sayRefunds({ network, compared, untold, missing, reason }: ComparedRefunds): string {
  if (reason !== null) return `${network}: refunds not compared: ${reason}\n`;
  if (compared + untold === 0) return '';
  const beside = untold === 0 ? '' : `; of ${untold} the node does not tell the block`;
  const gone = missing.map((id) => `  missing: refund ${id} is not where it is recorded\n`).join('');
  return `${network}: ${compared} final refunds compared${beside}\n${gone}`;
}

function chainVerdict(isClean: boolean, isWhole: boolean): string {
  if (!isClean)
    return '\nNOT CLEAN: see the networks above that differ, or that could not be compared, wholly or in part.\n';
  return isWhole
    ? '\nWhat is recorded is what the chains hold.\n'
    : '\nWhat could be compared is what the chains hold. What could not is counted above.\n';
}

/** Atoms are text in JSON, as everywhere. */
function toJson({ differences, ...verdict }: ChainVerdict) {
  return {
    ...verdict,
    differences: differences.map((one) => ({
      ...one,
      chainAtoms: one.chainAtoms.toString(),
      recordedAtoms: one.recordedAtoms.toString(),
    })),
  };
}

function say({
  network,
  verdict,
  reason,
  height,
  compared,
  requests,
  incomparable,
  differences,
}: ChainVerdict) {
  if (verdict === 'unasked') return `${network}: not compared: ${reason}\n`;
  const count = differences.length;
  const outcome = verdict === 'clean' ? 'clean' : `${count} ${count === 1 ? 'difference' : 'differences'}`;
  const head = `${network}: ${outcome}; ${compared} addresses at block ${height}, ${requests} requests\n`;
  const untold = Object.entries(incomparable).map(([what, count]) => `  not compared: ${what} (${count})\n`);
  return [head, ...differences.map(sayDifference), ...untold].join('');
}

function sayDifference({ kind, asset, address, height, chainAtoms, recordedAtoms, txids, key }: Difference) {
  const whose = key ? ` (key ${key.id}, index ${key.index})` : '';
  const by = txids.length > 0 ? `, ${txids.join(', ')}` : '';
  return `  ${kind}: ${address}${whose}: ${asset} chain ${chainAtoms}, recorded ${recordedAtoms} atoms, block ${height}${by}\n`;
}
