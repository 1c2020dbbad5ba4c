import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { projectFile } from '../../config/project-files.js';

const LANGUAGES = [
  { id: 'ts', name: 'TypeScript' },
  { id: 'py', name: 'Python' },
  { id: 'php', name: 'PHP' },
  { id: 'go', name: 'Go' },
  { id: 'sh', name: 'Shell' },
] as const;

export interface Snippet {
  /** Names it in an address: its file's ending. */
  readonly id: string;
  readonly language: string;
  readonly code: string;
}

/** How a merchant's server creates a payment, verifies a webhook, catches up with events, finds, reads and cancels a payment. The files are run by tests; read at start, so that a missing one shows. */
@Injectable()
export class Snippets {
  readonly create = snippetsOf('create');
  readonly verify = snippetsOf('verify');
  readonly events = snippetsOf('events');
  readonly find = snippetsOf('find');
  readonly read = snippetsOf('read');
  readonly cancel = snippetsOf('cancel');
}

type Topic = 'create' | 'verify' | 'events' | 'find' | 'read' | 'cancel';

function snippetsOf(topic: Topic): readonly Snippet[] {
  return LANGUAGES.map(({ id, name }) => ({
    id,
    language: name,
    code: readFileSync(projectFile(`docs/snippets/${topic}.${id}`), 'utf8').trimEnd(),
  }));
}
