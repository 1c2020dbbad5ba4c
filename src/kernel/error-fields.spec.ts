import { errorOf, fieldsOf, isObject, messageOf } from './error-fields.js';

it('what has no fields has none: no value is asked for what it is not', () => {
  for (const value of [null, undefined, 'text', 5, true, () => undefined]) {
    expect(isObject(value)).toBe(false);
    expect(fieldsOf(value)).toEqual({});
  }
  expect(fieldsOf({ code: '40001' })).toEqual({ code: '40001' });
});

it('whatever was thrown has a message, and becomes an error that keeps it', () => {
  const error = new RangeError('too large');
  expect([messageOf(error), messageOf('text'), messageOf(null)]).toEqual(['too large', 'text', 'null']);
  expect(errorOf(error)).toBe(error);
  const thrown = { code: 5 };
  expect(errorOf(thrown)).toMatchObject({ message: '[object Object]', cause: thrown });
});
