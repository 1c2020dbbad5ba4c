import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import { GuessDelaysRepository } from './data/guess-delays.repository.js';
import { type Guessed, type Guesser, STRANGERS } from './domain/guess-limits.js';

const DAY_S = 86_400;

/** A try at one account's password or code, counted before it was looked at. */
export interface Guess {
  /** Wrong ones by now, with this: of this session or known browser, or of all strangers together. */
  readonly tries: number;
  /** It was right. */
  forgive(): Promise<void>;
  /** It could not be looked at. */
  undo(): Promise<void>;
}

/**
 * Who guesses waits, and nobody else: tries are counted for each session, each known browser and each address by itself,
 * and those of all strangers together against a budget. Counted for all instances together.
 */
@Injectable()
export class GuessDelays {
  constructor(private readonly delays: GuessDelaysRepository) {}

  /**
   * @param account an e-mail address or id, known to us or not: both wait alike
   * @throws DomainError `rate-limit-exceeded` while this guesser, or every stranger, has to wait
   */
  async count(guessed: Guessed, account: string, guesser: Guesser): Promise<Guess> {
    const own = subjectOf(`${guessed}:${guesser.kind}`, `${account}|${guesser.id}`);
    const ownTries = await this.delays.count(own);
    if (ownTries === null) throw await this.tooMany(own, 0);
    const forgiveOwn = () => this.delays.forget(own);
    const undoOwn = () => this.delays.uncount(own, ownTries);
    if (guesser.kind !== 'stranger') return { tries: ownTries, forgive: forgiveOwn, undo: undoOwn };
    const { perDay, atOnce } = STRANGERS[guessed];
    const [all, tryS] = [subjectOf(`${guessed}:strangers`, account), DAY_S / perDay];
    const aheadS = tryS * (atOnce - 1);
    const tries = await this.delays.countTogether(all, tryS, aheadS);
    if (tries === null) {
      await undoOwn();
      throw await this.tooMany(all, aheadS);
    }
    // Only its own try: a right one must not give a botnet its budget back.
    const giveBack = () => this.delays.giveBack(all, tryS);
    return {
      tries,
      forgive: () => forgiveOwn().then(giveBack),
      undo: () => undoOwn().then(giveBack),
    };
  }

  /** Whatever was guessed so far: the password is another one now. */
  async forgetStrangers(tx: EntityManager, guessed: Guessed, account: string): Promise<void> {
    await this.delays.forget(subjectOf(`${guessed}:strangers`, account), tx);
  }

  private async tooMany(subject: string, aheadS: number): Promise<DomainError> {
    const waitS = Math.max(1, (await this.delays.waitS(subject, aheadS)) ?? 1);
    const text = `Too many tries. Wait ${waitText(waitS)}, then try again.`;
    return new DomainError('throttled', 'rate-limit-exceeded', text, {
      headers: { 'Retry-After': String(waitS) },
    });
  }
}

/** Hashed: what strangers type into the form is not kept. */
function subjectOf(kind: string, of: string): string {
  return `${kind}:${createHash('sha256').update(of).digest('base64url')}`;
}

function waitText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
