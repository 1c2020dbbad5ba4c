import { newId } from '../../../kernel/ids.js';
import { intentOf, pathOfTarget } from './request-line.js';

it.each([
  ['/api/v1/intents?status=settled', '/api/v1/intents'],
  ['/api/v1/intents', '/api/v1/intents'],
  ['?api_key=svc', ''],
  [`/api/v1/intents/${'x'.repeat(500)}?api_key=svc`, `/api/v1/intents/${'x'.repeat(184)}`],
])('keeps of %s only the path', (target, path) => {
  expect(pathOfTarget(target)).toBe(path);
});

it('knows the intent that a request names or has made, and takes nothing else for one', () => {
  const id = newId('pi');
  expect(intentOf(`/api/v1/intents/${id}`, null)).toBe(id);
  expect(intentOf('/api/v1/intents', `/api/v1/intents/${id}`)).toBe(id);
  expect(intentOf(`/api/v1/intents/${id}/cancel`, null)).toBe(id);
  for (const path of ['/api/v1/intents', '/api/v1/intents/pi_x', `/api/v1/intents/${id}/x`])
    expect(intentOf(path, null)).toBeNull();
});
