import { DomainError } from '../../../kernel/domain-error.js';
import { flawsBeside } from './flaws.js';

const FIELDS = { name: 'name', supportContact: 'support' };
const invalid = (...pointers: string[]) =>
  new DomainError('invalid', 'validation-error', 'All of it.', {
    errors: pointers.map((pointer) => ({ pointer, code: 'invalid', detail: `Wrong: ${pointer}` })),
  });

it('says beside each field what is wrong with it', () => {
  expect(flawsBeside(invalid('/name', '/supportContact'), FIELDS)).toEqual({
    name: 'Wrong: /name',
    support: 'Wrong: /supportContact',
  });
});

it('says everything beside the only field of a form', () => {
  expect(flawsBeside(invalid(), 'code')).toEqual({ code: 'All of it.' });
});

it.each([[[]], [['/other']], [['/name', '/other']]])('leaves %j above the form', (pointers) => {
  expect(flawsBeside(invalid(...pointers), FIELDS)).toBeNull();
});
