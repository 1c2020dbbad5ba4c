import { DomainError, wrongField } from '../../../kernel/domain-error.js';
import { flawsOf } from './flaws.js';

const invalid = (...pointers: string[]) =>
  new DomainError('invalid', 'validation-error', 'All of it.', {
    errors: pointers.map((pointer) => ({ pointer, code: 'invalid', detail: `Wrong: ${pointer}` })),
  });

it('names a field as the error does', () => {
  expect(flawsOf(wrongField('email', 'No address.'))).toEqual({ email: 'No address.' });
});

it('names a field as the form does, where it has another name for it', () => {
  expect(flawsOf(invalid('/name', '/supportContact'), { supportContact: 'support' })).toEqual({
    name: 'Wrong: /name',
    support: 'Wrong: /supportContact',
  });
});

it('says all that is wrong with one field', () => {
  expect(flawsOf(invalid('/a', '/b'), { a: 'both', b: 'both' })).toEqual({ both: 'Wrong: /a Wrong: /b' });
});

it('blames the only field of a form for what names none', () => {
  expect(flawsOf(invalid(), 'code')).toEqual({ code: 'All of it.' });
  expect(flawsOf(invalid())).toEqual({});
});

it('blames no field for having to wait', () => {
  const wait = new DomainError('throttled', 'rate-limit-exceeded', 'Wait.');
  expect(flawsOf(wait, 'code')).toEqual({});
});
