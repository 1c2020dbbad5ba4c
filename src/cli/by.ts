import { userInfo } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';

/** Who does it, on every command that changes something: the audit log keeps it beside `cli`. */
export interface ByOption {
  readonly by: string;
}

export function byOption(): Option {
  return new Option('--by <name>', 'who does it, for the audit log').argParser(named).default(userName());
}

function named(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Name somebody.');
  return text.trim();
}

/** A container's user need not have a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
