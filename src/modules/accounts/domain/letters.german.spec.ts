import { AUDIT_ACTIONS } from '../../../database/audit-actions.js';
import { type Language, LANGUAGES } from '../../../kernel/text/staff-languages.js';
import { ROLES } from '../accounts.types.js';
import type { Letter } from './letter-texts.js';
import { guessedLetter, invitationLetter, proofLetter, resetLetter, unfinishedLetter } from './letters.js';
import { audiencesOf } from './news.js';
import { newsLetter } from './news-letter.js';

const AT = new Date('2026-11-21T14:32:10Z');
const URL = 'https://pay.example/x';

/** Of each kind of setting one. */
const CHANGES = {
  alertEmails: [[], ['a@b.c']],
  toleranceBps: [0, 50],
  spreadBps: [0, 50],
  acceptSeenLate: [true, false],
  acceptShortBps: [0, 50],
  acceptShortMinor: [0, 1_234_500],
  acceptLateMinutes: [0, 60],
  acceptLateMoveBps: [0, 50],
  'networkTerms.ethereum.assets.USDC.accepted': [null, false],
  'networkTerms.ethereum.assets.USDC.minimumMinor': [null, 990],
  'networkTerms.ethereum.confirmationDepth': [null, 3],
};

/** Every letter to people, with all that decides about its words. */
function allLetters(language: Language): Letter[] {
  const invitations = [null, ...ROLES].flatMap((role) =>
    ['cli', 'maria@shop.example'].map((invitedBy) =>
      invitationLetter({ merchantName: role && 'Laden', role, invitedBy, expiresAt: AT }, URL, language),
    ),
  );
  const guesses = (['password', 'code'] as const).flatMap((guessed) =>
    (['session', 'device', 'stranger'] as const).map((by) =>
      guessedLetter({ guessed, by, ip: '192.0.2.1' }, URL, language),
    ),
  );
  const detail = { role: 'owner', before: 'read-only', after: 'developer', scopes: ['read', 'write'] };
  const news = AUDIT_ACTIONS.flatMap((action) =>
    audiencesOf(action).flatMap((audience) =>
      [null, 'Laden'].map((merchantName) =>
        newsLetter(
          {
            action,
            audience,
            merchantName,
            actor: 'cli',
            ip: '192.0.2.1',
            at: AT,
            subject: 'usr_1',
            detail: {
              ...(action === 'wallet.set' ? { before: 'xk_1', after: '0x52ab' } : detail),
              changes: CHANGES,
              email: 'a@b.c',
              invitedBy: 'cli',
              dropSecondFactors: true,
            },
            language,
          },
          { urlOf: (place) => `${URL}/${place}`, networkName: () => 'Ethereum' },
        ),
      ),
    ),
  );
  return [
    ...invitations,
    proofLetter(URL, AT, language),
    resetLetter({ url: URL, expiresAt: AT, ip: '192.0.2.1' }, language),
    ...guesses,
    unfinishedLetter('192.0.2.1', URL, language),
    ...news,
  ];
}

/** Words that every English sentence of some length has one of, and no German one. */
const ENGLISH =
  /\b(?:the|you|your|somebody|this|that|it|is|of|or|and|to|by|from|if|were|when|about|owner|developer)\b/i;

it('finds what was left in English', () => {
  expect('Your password was changed.').toMatch(ENGLISH);
  expect('Ihr Passwort wurde geändert.').not.toMatch(ENGLISH);
});

it('every letter has its German, with the same links, moments and addresses in it', () => {
  const [english, german] = LANGUAGES.map(allLetters) as [Letter[], Letter[]];
  expect(german).toHaveLength(english.length);
  expect(german.length).toBeGreaterThan(60);
  const left = german.filter(({ subject, text }) => ENGLISH.test(subject) || ENGLISH.test(text));
  expect(left).toEqual([]);
  const facts = ({ text }: Letter) => text.match(/https?:\S+|192\.0\.2\.1|[\w.]+@[\w.]+\w|14:32 UTC|usr_1/g);
  expect(german.map(facts)).toEqual(english.map(facts));
  const ofSettings = ({ text }: Letter) => text.split('\n').filter((line) => line.includes(' → ')).length;
  expect(german.map(ofSettings)).toEqual(english.map(ofSettings));
  expect(Math.max(...german.map(ofSettings))).toBe(Object.keys(CHANGES).length);
  expect(english.every(({ subject, text }) => ENGLISH.test(text) && subject !== '')).toBe(true);
  expect(german.every(({ language }) => language === 'de')).toBe(true);
});

it('no letter says a sentence or a paragraph less in one language than in the other', () => {
  const [english, german] = LANGUAGES.map(allLetters) as [Letter[], Letter[]];
  const shapes = (letters: Letter[]) =>
    letters.map(({ text }, i) => ({
      of: english[i]!.subject,
      sentences: text.match(/[.?](?=\s)/g)?.length,
      paragraphs: text.split('\n\n').length,
    }));
  expect(shapes(german)).toEqual(shapes(english));
});

it('is written as on paper, and as in Switzerland', () => {
  const wrong = allLetters('de').filter(({ subject, text }) => /[!'"ß]| {2}/.test(subject + text));
  expect(wrong).toEqual([]);
});
