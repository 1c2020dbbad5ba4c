import { Inject, Injectable } from '@nestjs/common';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { DomainError, notFound, wrongField } from '../../../kernel/domain-error.js';
import { newId } from '../../../kernel/ids.js';
import { characterCount } from '../../../kernel/text/character-count.js';
import type { Actor, Browser, FactorAdded, PasskeyView, Proven, SignedIn } from '../accounts.types.js';
import { AuditLog } from '../audit/audit-log.service.js';
import type { LockedPerson } from '../data/people.repository.js';
import { CredentialChanges } from '../sessions/credential-changes.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { Tries, tryingIn } from '../sessions/tries.js';
import { CHALLENGE_LIFETIME_MS, PasskeyChallengesRepository } from './data/passkey-challenges.repository.js';
import { type PasskeyRow, PasskeysRepository } from './data/passkeys.repository.js';
import {
  type PasskeyAnswer,
  readAuthentication,
  readPasskeyAnswer,
  readRegistration,
  userHandleOf,
} from './domain/passkey-answer.js';
import { RecoveryCodes } from './recovery-codes.js';

/** A few devices each; beyond this a list helps nobody, and one account must not fill the table. */
const MAX_PASSKEYS = 20;
const MAX_LABEL_CHARS = 60;

/** Loaded for the first passkey. */
const webauthn = () => import('@simplewebauthn/server');

/** Passkeys (WebAuthn): discoverable, and the device always verifies the person, so that each is two factors in one. */
@Injectable()
export class PasskeysService {
  /** What an answer must come from, and what a passkey is bound to (WebAuthn 5.1.2): no other site can ask for it. */
  private readonly expected: { readonly expectedOrigin: string; readonly expectedRPID: string };

  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: PasskeysRepository,
    private readonly challenges: PasskeyChallengesRepository,
    private readonly sessions: SessionsService,
    private readonly changes: CredentialChanges,
    private readonly tries: Tries,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly audit: AuditLog,
    @Inject(CONFIG) { baseUrl }: Config,
  ) {
    const { origin, hostname } = new URL(baseUrl);
    this.expected = { expectedOrigin: origin, expectedRPID: hostname };
  }

  /** What the browser needs to make one. */
  async creationOptions(who: SignedIn): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const has = await this.passkeys.of(who.personId);
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: 'Rappen',
      rpID: this.expected.expectedRPID,
      userID: new Uint8Array(Buffer.from(who.personId)),
      userName: who.email,
      userDisplayName: who.email,
      timeout: CHALLENGE_LIFETIME_MS,
      excludeCredentials: has.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.challenges.remember(options.challenge, who.personId);
    return options;
  }

  /**
   * Adds what the browser has made; every other session ends, and only this browser stays known.
   * @param json the browser's answer
   * @param here this browser
   * @throws DomainError `validation-error`, `conflict`
   */
  async add(who: SignedIn, json: string, label: string, actor: Actor, here: Browser): Promise<FactorAdded> {
    if (label === '' || characterCount(label) > MAX_LABEL_CHARS)
      throw wrongField('label', `Give the passkey a name of at most ${MAX_LABEL_CHARS} characters.`);
    const registered = () => this.registered(json, who.personId);
    const { credential } = await this.tries.passkey(tryingIn(who, actor.ip), registered);
    return this.dataSource.transaction(async (tx) => {
      // The person's lock: two at the same moment would both find room for one.
      const person = await this.sessions.hold(tx, who);
      await this.insert(tx, person, credential, label);
      const endedInvitations = await this.changes.factor(tx, person, here, actor);
      await this.record(tx, actor, 'passkey.added', label);
      return { recoveryCodes: await this.recoveryCodes.ensure(tx, person), endedInvitations };
    });
  }

  /** What the browser needs to use one, whoever sits before it. */
  async requestOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: this.expected.expectedRPID,
      userVerification: 'required',
      timeout: CHALLENGE_LIFETIME_MS,
    });
    await this.challenges.remember(options.challenge, null);
    return options;
  }

  /**
   * Whose passkey has answered.
   * @param json the browser's answer
   * @param who whose it must be; absent for somebody who signs in
   * @throws DomainError `validation-error` for anything but the first answer of a known passkey to a challenge of ours
   */
  async verify(json: string, ip: string | null, who?: SignedIn): Promise<Proven> {
    const id = readPasskeyAnswer(json)?.id;
    const passkey = id === undefined ? null : await this.passkeys.find(id);
    const stranger = { kind: 'stranger', id: '' } as const;
    const named = { personId: passkey?.personId ?? null, email: passkey?.email ?? null };
    const trying = who ? tryingIn(who, ip) : { ...named, ip, guesser: stranger };
    return this.tries.passkey(trying, async () => {
      const verified = await this.verified(json, passkey);
      if (who && verified.personId !== who.personId) throw invalid('This is the passkey of another account.');
      return verified;
    });
  }

  private async registered(json: string, personId: string) {
    const { challenge } = await this.answerTo(json, personId);
    const response = readRegistration(json);
    if (!response) throw refused();
    const { verifyRegistrationResponse } = await webauthn();
    const { registrationInfo } = await verifyRegistrationResponse({
      ...this.expected,
      response,
      expectedChallenge: challenge,
    }).catch(refuse);
    // The library does not compare the id that the browser says with the one that the device has made.
    if (registrationInfo?.credential.id !== response.id) throw refused();
    return registrationInfo;
  }

  private async verified(json: string, passkey: PasskeyRow | null): Promise<Proven> {
    const { challenge, userHandle } = await this.answerTo(json, null);
    const response = readAuthentication(json);
    if (!response || !passkey || userHandle !== userHandleOf(passkey.personId)) throw refused();
    const { verifyAuthenticationResponse } = await webauthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...this.expected,
      response,
      expectedChallenge: challenge,
      credential: credentialOf(passkey),
    }).catch(refuse);
    if (!verified) throw refused();
    // Compared and set: the library has seen that the count went up; of two answers with one count, one is a copy's.
    if (!(await this.passkeys.used(passkey.id, passkey.counter, authenticationInfo.newCounter)))
      throw refused();
    const { personId, email, credentials } = passkey;
    return { personId, email, credentials };
  }

  list(personId: string): Promise<PasskeyView[]> {
    return this.passkeys.list(personId);
  }

  /** The same of removing one. @returns how many open invitations of theirs ended @throws DomainError `not-found` */
  async remove(who: SignedIn, id: string, actor: Actor, here: Browser): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const person = await this.sessions.hold(tx, who);
      const label = await this.passkeys.remove(tx, id, who.personId);
      if (label === null) throw notFound('There is no such passkey.');
      await this.recoveryCodes.dropWithout(tx, person);
      const endedInvitations = await this.changes.factor(tx, person, here, actor);
      await this.record(tx, actor, 'passkey.removed', label);
      return endedInvitations;
    });
  }

  private async answerTo(json: string, personId: string | null): Promise<PasskeyAnswer> {
    const answer = readPasskeyAnswer(json);
    if (!answer || !(await this.challenges.spend(answer.challenge, personId))) throw refused();
    return answer;
  }

  private async insert(
    tx: EntityManager,
    { id: personId }: LockedPerson,
    credential: WebAuthnCredential,
    label: string,
  ): Promise<void> {
    const passkey = {
      id: newId('pk'),
      credentialId: credential.id,
      personId,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      label,
    };
    if (!(await this.passkeys.insert(tx, passkey, MAX_PASSKEYS))) {
      const text = `This passkey is here already, or ${MAX_PASSKEYS} others are. Remove one first.`;
      throw new DomainError('conflict', 'conflict', text);
    }
  }

  private record(
    tx: EntityManager,
    actor: Actor,
    action: 'passkey.added' | 'passkey.removed',
    label: string,
  ): Promise<void> {
    const subject = actor.personId ?? '';
    return this.audit.record(tx, actor, { merchantId: null, action, subject, detail: { label } });
  }
}

function credentialOf({ credentialId, publicKey, counter, transports }: PasskeyRow): WebAuthnCredential {
  return { id: credentialId, publicKey: new Uint8Array(publicKey), counter, transports };
}

/** The library throws for whatever is wrong with an answer; why is nothing that a person could put right. */
function refuse(): never {
  throw refused();
}

function refused(): DomainError {
  return invalid('This passkey was not accepted. Try again.');
}

function invalid(text: string): DomainError {
  return new DomainError('invalid', 'validation-error', text);
}
