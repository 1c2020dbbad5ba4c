import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { dayOf } from '../../../kernel/text/calendar.js';
import { ExportsService } from '../../../modules/intents/reporting/exports.service.js';
import { withApp } from '../../context.js';

interface ExportOptions {
  readonly merchant: string;
  readonly from: string;
  readonly to: string;
  readonly format: 'csv' | 'json';
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('settled payments and recorded refunds of a period, for the books')
    .requiredOption('--merchant <id>', 'whose')
    .requiredOption('--from <date>', 'its first instant: 2026-01-01 (in UTC), or a time with offset')
    .requiredOption(
      '--to <date>',
      'the first instant that is no longer in it: 2026-02-01 for the whole of January',
    )
    .addOption(new Option('--format <format>', 'of the output').choices(['csv', 'json']).default('csv'))
    .action(async (options: ExportOptions, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      const period = { from: instantOf('--from', options.from), to: instantOf('--to', options.to) };
      const format = json ? 'json' : options.format;
      await withApp(async (app) => {
        const text = app.get(ExportsService)[format](options.merchant, period);
        await pipeline(Readable.from(text), process.stdout, { end: false });
      });
    });
}

/** A day in UTC, or an instant with its offset: a time without one would mean another on every machine. */
function instantOf(name: string, text: string): Date {
  const shape = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;
  const instant = new Date(text);
  if (!shape.test(text) || Number.isNaN(instant.getTime()) || dayOf(text.slice(0, 10)) === null) {
    throw new Error(
      `${name} is a day such as 2026-01-31, or a time with offset such as 2026-01-31T12:00:00Z.`,
    );
  }
  return instant;
}
