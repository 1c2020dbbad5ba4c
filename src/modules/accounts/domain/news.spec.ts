import { AUDIT_ACTIONS } from '../../../database/audit-actions.js';
import { audiencesOf, reasonOf } from './news.js';

describe('news', () => {
  it.each([
    ['wallet.set', ['owners']],
    ['person.role-changed', ['subject', 'owners']],
    ['operator.joined', ['subject', 'operators']],
    ['webhook.secret-rotated', ['owners']],
    ['webhook.url-changed', ['owners']],
    ['signed-in', []],
  ] as const)('of %s concern %j', (action, audiences) => {
    expect(audiencesOf(action)).toEqual(audiences);
  });

  it.each(AUDIT_ACTIONS)('of %s say whom they are told, or why nobody', (action) => {
    expect(reasonOf(action) === null).toBe(audiencesOf(action).length > 0);
  });
});
