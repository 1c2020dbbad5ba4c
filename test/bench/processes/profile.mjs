// Loaded before a service: takes V8's profile of it between two messages, so that neither its start nor what fills its tables is in it.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  process.on('message', (/** @type {any} */ { profile }) => {
    if (profile === undefined) return;
    if (profile.begin) session.post('Profiler.start', () => process.send?.({ profile: 'begun' }));
    else
      session.post('Profiler.stop', (error, { profile: taken }) => {
        if (error) throw error;
        writeFileSync(profile.file, JSON.stringify(taken));
        process.send?.({ profile: 'written' });
      });
  });
}
