#!/usr/bin/env node
import 'reflect-metadata';
import { Command } from 'commander';
import { GROUPS } from './groups.js';
import { fail } from './output.js';

const program = new Command('rappen')
  .description("Rappen's operator command line, against the configured database or the running sandbox's.")
  .option('--json', 'print one JSON object or array and nothing else')
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true });

/** Only what was named is loaded: the whole service comes with it, and for a list of names that takes seconds. */
async function run(words: readonly string[]): Promise<void> {
  const noun = words.find((word) => !word.startsWith('-') && word !== 'help');
  for (const { nouns, load } of GROUPS) {
    const named = nouns.some(({ name }) => name === noun);
    if (named) (await load())(program);
    else for (const { name, description } of nouns) program.command(name).description(description);
  }
  await program.parseAsync();
}

run(process.argv.slice(2)).catch(fail);
