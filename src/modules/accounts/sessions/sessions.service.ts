import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../../kernel/ids.js';
import { AccountChanged } from '../accounts.errors.js';
import type { Actor, Browser, CountedBy, Origin, SessionView, SignedIn } from '../accounts.types.js';
import { type LockedPerson, PeopleRepository } from '../data/people.repository.js';
import { csrfTokenOf, hashToken, isToken, newToken } from '../domain/token.js';
import { KnownDevicesRepository } from './data/known-devices.repository.js';
import type { SessionStage } from './data/session.entity.js';
import { type HalfWay, SessionsRepository } from './data/sessions.repository.js';
import { GUESSER_NAMES } from './domain/guess-limits.js';

const MAX_USER_AGENT_CHARS = 300;

/** What a proof of identity changes for its session. */
export interface ProvenAgain {
  /** What the cookie is to hold from now on. */
  readonly token: string;
  /** A second factor's secret awaited its first code, and ended with the cookie before. */
  readonly endedSetup: boolean;
}

/** Who is signed in where. Asked of the database at each request: revoking and roles take effect at once. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly people: PeopleRepository,
    private readonly sessions: SessionsRepository,
    private readonly devices: KnownDevicesRepository,
  ) {}

  /**
   * Begins a session with an id of its own, whatever the browser brought along (no session fixation).
   * @param stage `second-factor` while only the password is known: such a session opens nothing else
   * @returns what the cookie holds; only its hash is stored
   */
  async open(tx: EntityManager, person: LockedPerson, origin: Origin, stage: SessionStage): Promise<string> {
    const token = newToken();
    await this.sessions.insert(tx, {
      id: newId('ses'),
      tokenHash: hashToken(token),
      personId: person.id,
      stage,
      address: origin.ip,
      userAgent: origin.userAgent.slice(0, MAX_USER_AGENT_CHARS),
    });
    return token;
  }

  /** `null` for what is unknown, ended, or has not passed its second factor. */
  async find(token: string): Promise<SignedIn | null> {
    if (!isToken(token)) return null;
    const row = await this.sessions.find(hashToken(token));
    if (!row) return null;
    if (row.isStale) await this.sessions.seen(row.sessionId);
    const { isStale: _, merchantId, firstMerchantId, memberships, ...who } = row;
    const belongsTo = (id: string | null) => memberships.find((one) => one.merchantId === id);
    const membership = belongsTo(merchantId) ?? belongsTo(firstMerchantId) ?? null;
    return { ...who, memberships, membership, csrfToken: csrfTokenOf(token) };
  }

  /** The person in whose name a request came that is refused: the session is not seen by it. */
  async whose(token: string): Promise<string | null> {
    return isToken(token) ? ((await this.sessions.find(hashToken(token)))?.personId ?? null) : null;
  }

  /**
   * By what the requests of a browser may be counted apart from all others of its address: its session, or that somebody has signed
   * in there. One look at the database, and none for what can be no token. `null` for a stranger's.
   */
  async countedBy(session: string, device: string | null): Promise<CountedBy | null> {
    const [ofSession, ofDevice] = [session, device ?? ''].map((token) =>
      isToken(token) ? hashToken(token) : null,
    );
    return ofSession || ofDevice ? this.sessions.countedBy(ofSession ?? null, ofDevice ?? null) : null;
  }

  /** As the audit log names whoever asks there: they may have taken what they are known by. `null` where whose it is cannot be said. */
  askerIn({ kind, personId }: CountedBy, ip: string): (Actor & { readonly personId: string }) | null {
    return personId === null ? null : { name: GUESSER_NAMES[kind], personId, ip };
  }

  /** Whose second factor is awaited. */
  async findHalfWay(token: string): Promise<HalfWay | null> {
    return isToken(token) ? this.sessions.findHalfWay(hashToken(token)) : null;
  }

  /** Ends the session of this cookie. @returns `false` for one that has ended before */
  async close(token: string, tx?: EntityManager): Promise<boolean> {
    return isToken(token) && this.sessions.close(hashToken(token), tx);
  }

  /** The person has just proved again who they are. */
  async prove(tx: EntityManager, sessionId: string): Promise<ProvenAgain> {
    const endedSetup = (await this.sessions.pendingTotp(sessionId, tx)) !== null;
    await this.sessions.proven(tx, sessionId);
    return { token: await this.renew(tx, sessionId), endedSetup };
  }

  /**
   * Whoever saw the cookie before has nothing any more.
   * @returns what the cookie is to hold from now on
   * @throws AccountChanged for a session that has ended meanwhile
   */
  async renew(tx: EntityManager, sessionId: string): Promise<string> {
    const token = newToken();
    if (!(await this.sessions.setToken(tx, sessionId, hashToken(token)))) throw new AccountChanged();
    return token;
  }

  /** Looks at another of one's merchants, now and at the next sign-in. @returns whether the person belongs to it */
  async lookAt(who: SignedIn, merchantId: string): Promise<boolean> {
    if (!who.memberships.some((one) => one.merchantId === merchantId)) return false;
    await this.sessions.lookAt(who.sessionId, merchantId, who.personId);
    return true;
  }

  list(personId: string): Promise<SessionView[]> {
    return this.sessions.list(personId);
  }

  /** Signs out, in this browser. It stays known: nobody is thrown out of it. @returns `false` for a session that has ended before */
  signOut(tx: EntityManager, { personId, sessionId }: SignedIn): Promise<boolean> {
    return this.sessions.remove(tx, sessionId, personId);
  }

  /** After the membership: who has nothing else here is signed out everywhere. */
  async leaveMerchant(tx: EntityManager, person: LockedPerson, merchantId: string): Promise<void> {
    await this.sessions.lookAway(tx, person.id, merchantId);
    if (!(await this.people.hasPlace(tx, person.id))) await this.throwOut(tx, person, null);
  }

  /**
   * Locks the person whose session is to change what they sign in with, or who they let in, before anything else of theirs is.
   * @throws AccountChanged where that session has ended meanwhile
   */
  async hold(
    tx: EntityManager,
    { personId, sessionId }: Pick<SignedIn, 'personId' | 'sessionId'>,
  ): Promise<LockedPerson> {
    const person = await this.people.lock(tx, personId);
    if (!(await this.sessions.exists(tx, sessionId))) throw new AccountChanged();
    return person;
  }

  /**
   * Ends one session from another.
   * @param here where that is asked for
   * @returns whether it was one of this person's
   * @throws AccountChanged where the session that asks has ended meanwhile
   */
  async end(tx: EntityManager, personId: string, sessionId: string, here: Browser): Promise<boolean> {
    const person = await this.hold(tx, { personId, sessionId: here.sessionId });
    return this.throwOut(tx, person, here, sessionId);
  }

  /**
   * Signed out everywhere, or everywhere else. Where what one signs in with has changed, more follows (`CredentialChanges`).
   * @param keep the browser that makes the change; `null`: nowhere is kept
   * @throws AccountChanged where its session has ended meanwhile: then it makes none
   */
  async endElsewhere(tx: EntityManager, person: LockedPerson, keep: Browser | null): Promise<void> {
    await this.throwOut(tx, person, keep);
    if (keep && !(await this.sessions.exists(tx, keep.sessionId))) throw new AccountChanged();
  }

  /**
   * Every end of a session but signing out in it. Whoever sat there is not trusted any more, and may have other cookies of this
   * account, also where nobody is signed in now: every browser but the one that does this is a stranger's again.
   * @param one the id of a session; absent: of all but the one that is kept
   * @returns whether there was any
   */
  private async throwOut(
    tx: EntityManager,
    { id: personId }: LockedPerson,
    keep: Browser | null,
    one?: string,
  ): Promise<boolean> {
    const wasIn =
      one === undefined
        ? await this.sessions.removeAll(tx, personId, keep?.sessionId ?? null)
        : await this.sessions.remove(tx, one, personId);
    await this.devices.forget(tx, personId, keep?.device ?? null);
    return wasIn;
  }
}
