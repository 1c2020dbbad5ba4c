import { AUDIT_ACTIONS } from '../../../database/audit-actions.js';
import { audiencesOf, isNews, reasonOf, securityEventOf, toldOf, topicOf } from './news.js';

describe('news', () => {
  it.each([
    ['wallet.set', ['owners']],
    ['person.role-changed', ['subject', 'owners']],
    ['person.joined', ['subject', 'owners']],
    ['person.invited', ['owners', 'operators']],
    ['sessions.ended', ['subject']],
    ['operator.joined', ['subject', 'operators']],
    ['operator.dismissed', ['subject', 'operators']],
    ['address.proven', ['subject']],
    ['password.reset-withdrawn', []],
    ['webhook.secret-rotated', ['owners']],
    ['webhook.url-changed', ['owners']],
    ['signed-in', []],
  ] as const)('of %s concern %j', (action, audiences) => {
    expect(audiencesOf(action)).toEqual(audiences);
  });

  it.each([
    ['alertEmails', true],
    ['toleranceBps', true],
    ['spreadBps', true],
    ['acceptShortBps', true],
    ['networkTerms.ethereum.confirmationDepth', true],
    ['name', false],
    ['color', false],
    ['logo.hash', false],
    ['supportContact', false],
    ['toString', false],
  ])('of a changed %s are told: %s', (path, isTold) => {
    expect(isNews('settings.changed', { changes: { [path]: [0, 1] } })).toBe(isTold);
    expect(isNews('settings.changed', {})).toBe(false);
    expect(isNews('wallet.set', {})).toBe(true);
  });

  it('of an address that was proved are told where somebody gave their word for it', () => {
    expect(isNews('address.proven', { by: 'cli' })).toBe(true);
    expect(isNews('address.proven', { by: 'mailbox' })).toBe(false);
  });

  it.each(AUDIT_ACTIONS)('of %s say whom they are told, or why nobody', (action) => {
    expect(reasonOf(action) === null).toBe(audiencesOf(action).length > 0);
  });

  it('are collected apart for each merchant, and what is about oneself apart from what owners are told', () => {
    const topics = [
      topicOf('wallet.set', 'mer_a', 'owners'),
      topicOf('wallet.set', 'mer_b', 'owners'),
      topicOf('person.role-changed', 'mer_a', 'owners'),
      topicOf('person.role-changed', 'mer_a', 'subject'),
      topicOf('passkey.added', null, 'subject'),
    ].map(({ kind, of }) => `${kind} ${of}`);
    expect(new Set(topics).size).toBe(topics.length);
    expect(topicOf('wallet.set', 'mer_a', 'owners')).toEqual(topicOf('wallet.set', 'mer_a', 'owners'));
    expect(topicOf('passkey.added', null, 'subject')).toEqual({ kind: 'passkey.added', of: 'subject' });
  });

  it('have words for whom they concern, and for nobody else', () => {
    for (const action of AUDIT_ACTIONS)
      expect((['subject', 'owners', 'operators'] as const).filter((one) => toldOf(action, one))).toEqual(
        audiencesOf(action),
      );
  });
});

describe('the security log', () => {
  it.each([
    ['signed-in', 'sign-in'],
    ['identity.proven', 'step-up'],
    ['codes.disabled', 'factor-changed'],
    ['recovery-code.used', 'factor-changed'],
    ['password.reset', 'password-changed'],
    ['password.reset-asked', 'password-reset-offered'],
    ['person.role-changed', 'role-changed'],
    ['operator.joined', 'role-changed'],
    ['invitation.withdrawn', 'invitation'],
  ] as const)('has a line of %s: %s', (action, event) => {
    expect(securityEventOf(action)).toBe(event);
  });

  it.each(['wallet.set', 'intent.closed', 'sign-in.failed'] as const)(
    'has none of %s by its entry',
    (action) => {
      expect(securityEventOf(action)).toBeNull();
    },
  );
});
