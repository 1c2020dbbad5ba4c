// Comfort for the dashboard: copying, and the keyboard. Everything else works without it.
import { copyOnClick } from './copying.js';

/** How long "g" waits for the key that says where. */
const CHORD_MS = 1500;
let goingUntilMs = 0;

copyOnClick();
document.addEventListener('keydown', onKey);
// "/" pressed on a page without a search comes here.
if (location.hash === '#search') search()?.focus();

// Only the browser knows the reader's zone. It tells the server, which from then on writes times in it: nothing moves.
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
if (document.documentElement.dataset.zone !== timeZone) {
  const secure = location.protocol === 'https:' ? ';secure' : '';
  document.cookie = `zone=${encodeURIComponent(timeZone)};path=/dashboard;max-age=34560000;samesite=lax${secure}`;
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) {
    if (time.textContent === time.title) time.textContent = local.format(new Date(time.dateTime));
  }
}

// The first field that something is wrong with is where somebody goes on, also in what is folded away.
goTo(document.querySelector('main [aria-invalid=true]') ?? document.querySelector('main .notice[autofocus]'));

const filter = document.querySelector('.filter');
filter?.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  filter.open = false;
  filter.querySelector('summary').focus();
});

function goTo(place) {
  for (let part = place?.closest('details'); part; part = part.parentElement.closest('details'))
    part.open = true;
  place?.focus();
}

function search() {
  return document.querySelector('input[type=search]');
}

function onKey(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (target.closest('input, textarea, select, [contenteditable]')) return;
  const now = performance.now();
  if (now < goingUntilMs) {
    goingUntilMs = 0;
    const place = [...document.querySelectorAll('[data-key]')].find((link) => link.dataset.key === key);
    if (!place) return;
    event.preventDefault();
    place.click();
  } else if (key === 'g') {
    goingUntilMs = now + CHORD_MS;
  } else if (key === '/') {
    const place = document.querySelector('[data-key=p]');
    if (!search() && !place) return;
    event.preventDefault();
    if (search()) search().focus();
    else location.href = `${place.href}#search`;
  }
}
