// Keeps the checkout page up to date. Everything works without it; it has no words of its own.
import { browserWallets } from './checkout-wallets.js';
import { copyText } from './clipboard.js';
import { exchangeSum } from './exchange-sum.js';
import { phoneWallets } from './phone-wallets.js';
import { ask, guardTaps } from './taps.js';

(() => {
  const POLL_MS = 3000;
  const POLL_MAX_MS = 15000;
  const POLL_SLOW_MS = 30000;
  const OFFLINE_AFTER_MS = 10000;
  /** The server says something every 15 s; a stream that is silent for longer has died unnoticed. */
  const SILENCE_MS = 40000;
  const URGENT_MS = 120000;
  /** `EventSource.OPEN`, also for a browser without EventSource. */
  const STREAM_OPEN = 1;

  const policy = window.trustedTypes?.createPolicy('rappen', { createHTML: (html) => html });
  const parse = (html) =>
    new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, 'text/html');
  const byId = (id) => document.getElementById(id);
  const main = () => byId('main');
  const live = byId('live');
  const offline = byId('offline');

  const say = (text) => {
    live.textContent = '';
    // A screen reader repeats a sentence only if it was away in between.
    setTimeout(() => (live.textContent = text), 50);
  };

  document.documentElement.classList.add('js');
  document.addEventListener('click', onClick);
  if (!main()?.dataset.id) {
    guardTaps({ show: null, say, look: () => undefined, onLost: () => undefined });
    return;
  }

  /** Regions as the server sent them: the page itself is changed by the countdown and by copying. */
  const regionsOf = (doc) =>
    new Map([...doc.querySelectorAll('[data-region]')].map((region) => [region.dataset.region, region]));
  const served = new Map([...regionsOf(document)].map(([name, region]) => [name, region.outerHTML]));
  tellLocalTimes();
  const offerBrowserWallets = browserWallets({ isCurrent, unreachable: () => byId('unsent').dataset.away });
  const offerPhoneWallets = phoneWallets();
  offerPhoneWallets();

  // The server's clock, carried on by a clock that nobody can set.
  let clock = { serverMs: Date.parse(main().dataset.now), atMs: renderedAtMs() };
  let urgentSaid = '';
  let endedAtMs = 0;
  let loading = false;
  let again = false;
  /** How many pages were shown in the place of one another. */
  let pages = 0;
  /** Whether the page is of another address than the browser says: it went back while nothing could be loaded. */
  let stale = false;
  let source = null;
  let pollTimer = 0;
  let pollMs = POLL_MS;
  let failingSinceMs = 0;
  let heardAtMs = performance.now();

  function renderedAtMs() {
    return performance.getEntriesByType('navigation')[0]?.responseStart || performance.now();
  }
  const serverNowMs = () => clock.serverMs + performance.now() - clock.atMs;
  const setClock = (now) => (clock = { serverMs: Date.parse(now), atMs: performance.now() });

  /* Showing what the server says now */

  function swap(next) {
    const from = main();
    const to = next.getElementById('main');
    const { message, state, money } = from.dataset;
    const moved = to.dataset.state !== state;
    const focusId = document.activeElement?.id;
    const checked = [...document.querySelectorAll('input:checked')].map((input) => input.id);
    const open = [...document.querySelectorAll('details[open]')].map((details) => details.id);
    const typed = [...document.querySelectorAll('.form .input')].map(({ id, value }) => ({ id, value }));
    const ways = [...document.querySelectorAll('.option')].map((option) => option.id);
    const scroll = window.scrollY;

    for (const { name } of [...from.attributes]) if (!to.hasAttribute(name)) from.removeAttribute(name);
    for (const { name, value } of to.attributes) from.setAttribute(name, value);
    document.title = next.title;
    const current = regionsOf(document);
    let isBelow = false;
    for (const [name, region] of regionsOf(next)) {
      const html = region.outerHTML;
      const isSame = html === served.get(name);
      // New nodes have no old place to shift from: a page in another state is a new page below the bill, and a page that
      // says more below its actions is a new one from there on.
      isBelow ||= !isSame && ['later', 'support'].includes(name);
      if (isSame && !isBelow && (!moved || name === 'bill')) continue;
      served.set(name, html);
      current.get(name)?.replaceWith(document.importNode(region, true));
    }

    keepOrder(ways);
    tellLocalTimes();
    offerBrowserWallets();
    offerPhoneWallets();
    for (const id of checked) if (byId(id)) byId(id).checked = true;
    for (const id of open) if (byId(id)) byId(id).open = true;
    for (const { id, value } of typed) if (byId(id) && byId(id).value !== value) byId(id).value = value;
    if (focusId && document.activeElement?.id !== focusId) {
      (byId(focusId) ?? byId('heading') ?? main()).focus({ preventScroll: true });
    }
    if (window.scrollY !== scroll) window.scrollTo(0, scroll);
    if (main().dataset.message !== message) say(main().dataset.message);
    const seen = main().dataset.money;
    if (seen !== '' && seen !== money && money !== 'all') navigator.vibrate?.(200);
    setClock(main().dataset.now);
    tick();
  }

  /** Another way may be the cheapest now; what somebody is about to tap stays where it was. */
  function keepOrder(ids) {
    if (ids.length === 0) return;
    const placeOf = (item) => ids.indexOf(item.querySelector('.option').id);
    for (const list of document.querySelectorAll('.options, .group-options')) {
      list.append(...[...list.children].sort((a, b) => placeOf(a) - placeOf(b)));
    }
  }

  /** Another kind of page (an error, say) is better loaded as one. */
  function show(html) {
    const next = parse(html);
    if (next.getElementById('main')?.dataset.id !== main().dataset.id) return false;
    // The language was chosen anew in another tab: what is outside of the regions has to change too.
    if (next.documentElement.lang !== document.documentElement.lang) {
      location.reload();
      return true;
    }
    const mode = main().dataset.live;
    swap(next);
    if (main().dataset.live !== mode) listen();
    return true;
  }

  async function refresh() {
    if (loading) {
      again = true;
      return;
    }
    loading = true;
    const [address, page] = [location.href, pages];
    try {
      const response = await ask(address);
      if (!response.ok) throw new Error(String(response.status));
      const html = await response.text();
      // Somebody has gone on meanwhile: of the page before nobody wants to hear.
      if (page !== pages || address !== location.href) again = true;
      else {
        show(html);
        stale = false;
      }
      alive();
    } catch {
      failing();
      poll(POLL_MS);
    } finally {
      loading = false;
      if (again) {
        again = false;
        refresh();
      }
    }
  }

  /* Hearing of changes */

  function heard(status) {
    alive();
    setClock(status.now);
    if (stale || status.version !== main().dataset.version) refresh();
  }

  async function statusNow() {
    const response = await ask(main().dataset.status, { headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  }

  /** Asks now: whoever is about to send must not rely on a page that has slept. */
  async function isCurrent() {
    const shown = main().dataset.version;
    const status = await statusNow();
    heard(status);
    return status.version === shown;
  }

  function listen() {
    source?.close();
    source = null;
    clearTimeout(pollTimer);
    pollMs = POLL_MS;
    heardAtMs = performance.now();
    const mode = main().dataset.live;
    if (mode === 'slow') poll(POLL_SLOW_MS);
    if (mode !== 'fast') return;
    if (!window.EventSource) return poll(POLL_MS);
    source = new EventSource(main().dataset.events);
    source.onopen = () => {
      clearTimeout(pollTimer);
      alive();
    };
    source.onmessage = (event) => heard(JSON.parse(event.data));
    source.addEventListener('heartbeat', alive);
    source.onerror = () => {
      failing();
      poll(POLL_MS);
    };
  }

  function poll(afterMs) {
    clearTimeout(pollTimer);
    if (main().dataset.live !== 'off') pollTimer = setTimeout(check, afterMs);
  }

  async function check() {
    const slow = main().dataset.live === 'slow';
    let healthy = false;
    try {
      heard(await statusNow());
      healthy = !document.hidden;
    } catch {
      failing();
    }
    pollMs = healthy ? POLL_MS : Math.min(pollMs * 1.5, POLL_MAX_MS);
    if (slow) poll(POLL_SLOW_MS);
    // A stream that died with its network says that it is open.
    else if (failingSinceMs || source?.readyState !== STREAM_OPEN) poll(pollMs);
  }

  function alive() {
    heardAtMs = performance.now();
    failingSinceMs = 0;
    offline.hidden = true;
  }
  function failing() {
    failingSinceMs ||= performance.now();
  }

  /* The countdown */

  function tick() {
    const nowMs = performance.now();
    if (!failingSinceMs) serverIsBack();
    if (failingSinceMs && nowMs - failingSinceMs > OFFLINE_AFTER_MS) offline.hidden = false;
    if (source && nowMs - heardAtMs > SILENCE_MS) listen();

    const countdown = document.querySelector('[data-until]');
    if (!countdown) return;
    const leftMs = Date.parse(countdown.dataset.until) - serverNowMs();
    const seconds = Math.max(0, Math.ceil(leftMs / 1000));
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const words = main().dataset.left.replace('{}', text);
    if (countdown.textContent !== words) countdown.textContent = words;
    const urgent = leftMs <= URGENT_MS;
    countdown.classList.toggle('urgent', urgent);
    if (urgent && leftMs > 0 && urgentSaid !== countdown.dataset.until) {
      urgentSaid = countdown.dataset.until;
      say(main().dataset.urgent);
    }
    if (leftMs <= 0 && nowMs - endedAtMs > 2000) {
      endedAtMs = nowMs;
      refresh();
    }
  }

  /**
   * The server names its own zone; the browser knows the reader's, and keeps the other on hover. Not every browser knows
   * Romansh: then dates are as in `notation`, in digits.
   */
  function tellLocalTimes() {
    const locales = [document.documentElement.lang, main()?.dataset.notation ?? 'en-GB'];
    for (const time of document.querySelectorAll('time:not(.countdown *)')) {
      if (!time.textContent.endsWith('UTC')) continue;
      const dateStyle = 'clock' in time.dataset ? undefined : 'medium';
      const at = new Date(time.dateTime);
      time.title = time.textContent;
      time.textContent = new Intl.DateTimeFormat(locales, { dateStyle, timeStyle: 'short' }).format(at);
      time.dataset.zone = zoneAt(at, locales);
    }
  }

  /** "GMT+1", or a name where the language has one. */
  function zoneAt(at, locales) {
    const parts = new Intl.DateTimeFormat(locales, { timeZoneName: 'short' }).formatToParts(at);
    return parts.find(({ type }) => type === 'timeZoneName').value;
  }

  /* Copying, printing, tapping */

  async function onClick(event) {
    if (event.target.closest('[data-print]')) return window.print();
    const button = event.target.closest('[data-copy]');
    if (!button || button.classList.contains('copied')) return;
    if (!(await copyText(button.dataset.copy))) return;
    button.classList.add('copied');
    say(main().dataset.copied);
    setTimeout(() => button.classList.remove('copied'), 2000);
  }

  // A receipt is printed whole, folded or not.
  let folded = [];
  window.addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('.record:not([open])')];
    for (const details of folded) details.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const details of folded) details.open = false;
  });

  document.addEventListener('input', exchangeSum);

  const serverIsBack = guardTaps({ show: goTo, say, look: refresh, onLost: failing });

  /** @param url of the page; null where it has none of its own. @param form that it answers; null where a link led to it */
  function goTo(html, url, form) {
    if (parse(html).getElementById('main')?.dataset.id !== main().dataset.id) return false;
    if (url !== null) visit(form, url);
    pages += 1;
    if (!show(html)) return false;
    forgetNotice();
    window.scrollTo(0, 0);
    (document.querySelector('[aria-invalid]') ?? byId('heading'))?.focus({ preventScroll: url !== null });
    return true;
  }

  /** Back from a payment leads to the choice before it, not out of the shop's hands; back from a question to the payment. */
  function visit(form, url) {
    if (form === null) return history.pushState(null, '', url);
    const isChoice = form.matches('.options form') && !new URL(url).searchParams.has('notice');
    if (!isChoice) return history.replaceState(null, '', url);
    history.replaceState(null, '', `${location.pathname}?change=1`);
    history.pushState(null, '', url);
  }
  window.addEventListener('popstate', () => {
    stale = true;
    refresh();
  });

  /** A notice is about one moment: it must not come back with the next update. */
  function forgetNotice() {
    const url = new URL(location.href);
    if (!url.searchParams.has('notice')) return;
    url.searchParams.delete('notice');
    history.replaceState(null, '', url);
  }

  document.addEventListener('visibilitychange', () => {
    // Back from the wallet: phones cut streams of pages in the background.
    if (!document.hidden && main().dataset.live !== 'off') check();
  });
  window.addEventListener('online', check);
  window.addEventListener('offline', failing);
  window.addEventListener('pagehide', () => source?.close());
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    listen();
    check();
  });

  forgetNotice();
  tick();
  setInterval(tick, 500);
  listen();
})();
