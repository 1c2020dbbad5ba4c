// Collecting by a wallet in the browser: finds wallets (EIP-6963), asks the chosen one to send exactly what the page
// shows, and tells what the chain says of it. Without it the page has two other ways.
(() => {
  'use strict';
  const SENT = 'rappen.collecting';
  /** A transaction that no block took by then is not waited for any more, nor does it stand in the way. */
  const FORGOTTEN_MS = 30 * 60_000;
  const POLL_MS = 1_500;
  const WORDS = {
    waiting: () => 'Sent. It waits for a block.',
    included: (amounts) => `Collected ${amounts}. A block holds it; it is not final yet.`,
    final: (amounts) => `Collected ${amounts}. It is final.`,
    nothing: () => 'This transaction moved nothing: all of it had been collected before.',
    failed: () => 'The transaction failed and moved nothing. What lies there can be collected again.',
  };
  /** Where the server says what became of a transaction. */
  const SENT_PATH = document.currentScript.dataset.sent;
  const calls = document.querySelector('[data-plan]');
  const isBusy = { now: false };

  if (calls) offer();
  else tellPending();

  function offer() {
    const wallets = document.querySelector('[data-wallets]');
    const known = new Set();
    window.addEventListener('eip6963:announceProvider', ({ detail }) => {
      const { info, provider } = detail ?? {};
      if (!info?.uuid || !provider?.request || known.has(info.uuid)) return;
      known.add(info.uuid);
      wallets.hidden = false;
      document.querySelector('[data-no-wallet]').hidden = true;
      wallets.append(buttonFor(info, provider));
    });
    window.dispatchEvent(new Event('eip6963:requestProvider'));
    void follow(remembered(calls.dataset).filter(({ index }) => items()[index]));
  }

  function buttonFor({ name, icon }, provider) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = known() ? 'button' : 'button button-main';
    if (typeof icon === 'string' && icon.startsWith('data:image/')) {
      const image = document.createElement('img');
      Object.assign(image, { src: icon, alt: '', width: 20, height: 20 });
      button.append(image, ' ');
    }
    button.append(`Collect with ${String(name).slice(0, 40)}`);
    button.addEventListener('click', () => void collect(provider));
    return button;
  }

  function known() {
    return document.querySelector('[data-wallets] button') !== null;
  }

  function items() {
    return [...calls.querySelectorAll('[data-data]')];
  }

  function say(item, text) {
    const said = item.querySelector('[data-said]');
    if (said.textContent !== text) said.textContent = text;
  }

  async function collect(provider) {
    if (isBusy.now) return;
    busy(true);
    let at = items()[0];
    try {
      const [from] = await provider.request({ method: 'eth_requestAccounts' });
      await switchTo(provider, Number(calls.dataset.chain));
      for (const [index, item] of items().entries()) {
        at = item;
        const waiting = remembered(calls.dataset).find(({ data }) => data === item.dataset.data);
        if (waiting) {
          say(
            item,
            `Sent a moment ago, also in another tab: ${waiting.txid}. A second one would move nothing.`,
          );
          continue;
        }
        if (!(await isStillThere(item))) {
          say(
            item,
            'This has been collected meanwhile, or more came. Nothing was sent: load the page again.',
          );
          continue;
        }
        say(item, 'Your wallet asks you now.');
        const { to, data } = item.dataset;
        const params = [{ from, to, data, value: '0x0' }];
        const txid = await provider.request({ method: 'eth_sendTransaction', params });
        const sent = { ...placeOf(), txid, data, index, atMs: Date.now() };
        remember(sent);
        void follow([sent]);
      }
    } catch (error) {
      say(at, wordsFor(error));
    } finally {
      busy(false);
    }
  }

  function placeOf() {
    const { network, asset } = calls.dataset;
    return { network, asset };
  }

  async function switchTo(provider, chain) {
    const chainId = `0x${chain.toString(16)}`;
    const current = async () => Number(await provider.request({ method: 'eth_chainId' }));
    if ((await current()) === chain) return;
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
    if ((await current()) !== chain) throw new Error('The wallet is on another network. Nothing was sent.');
  }

  /** By the newest block: what somebody else collected a moment ago is not paid for a second time. */
  async function isStillThere({ dataset }) {
    const response = await fetch(calls.dataset.plan, { headers: { accept: 'application/json' } });
    if (response.redirected) location.reload();
    if (!response.ok) throw new Error('What lies there could not be looked up. Nothing was sent.');
    return (await response.json()).calls.includes(dataset.data);
  }

  async function follow(all) {
    await Promise.all(all.map((sent) => followOne(sent)));
  }

  async function followOne(sent) {
    for (;;) {
      const item = items()[sent.index];
      const { state, amounts } = await stateOf(sent);
      if (state) say(item, WORDS[state](amounts.join(' and ')));
      // Until it is final a reorganisation may undo it: then it waits again, and the page says so.
      if (state === 'final' || state === 'nothing' || state === 'failed') return forget(sent);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Nothing where the answer did not come: it is asked again. */
  async function stateOf({ network, txid }) {
    try {
      const response = await fetch(`${SENT_PATH}?${new URLSearchParams({ network, txid })}`);
      return response.ok && !response.redirected ? await response.json() : {};
    } catch {
      return {};
    }
  }

  /** On the list of what lies where: what was sent from this browser and is in no block yet. */
  async function tellPending() {
    const box = document.querySelector('[data-pending]');
    if (!box) return;
    const states = await Promise.all(
      remembered({}).map(async (sent) => ({ ...sent, ...(await stateOf(sent)) })),
    );
    for (const sent of states)
      if (sent.state && sent.state !== 'waiting' && sent.state !== 'included') forget(sent);
    const waiting = states.filter(({ state }) => state === 'waiting');
    box.hidden = waiting.length === 0;
    const words = waiting.map(({ asset, network, txid }) => `${asset} on ${network} (${txid})`).join(', ');
    box.querySelector('[data-pending-text]').textContent =
      `Sent from this browser and in no block yet: ${words}.`;
  }

  /** Of this browser, so that two tabs know of each other. It helps; what happened is what the chain says. */
  function remembered({ network, asset }) {
    let all = [];
    try {
      all = JSON.parse(localStorage.getItem(SENT) ?? '[]');
    } catch {
      // Another's words, or no storage: then there is nothing to remember.
    }
    return all.filter(
      (one) =>
        Date.now() - one.atMs < FORGOTTEN_MS &&
        (network === undefined || (one.network === network && one.asset === asset)),
    );
  }

  function store(all) {
    try {
      localStorage.setItem(SENT, JSON.stringify(all));
    } catch {
      // A browser that stores nothing collects all the same.
    }
  }

  function remember(sent) {
    store([...remembered({}), sent]);
  }

  function forget({ txid }) {
    store(remembered({}).filter((one) => one.txid !== txid));
  }

  function busy(now) {
    isBusy.now = now;
    for (const button of document.querySelectorAll('[data-wallets] button')) button.disabled = now;
  }

  function wordsFor({ code, message }) {
    if (code === 4001) return 'You refused in your wallet. Nothing was sent.';
    if (code === 4902) return 'Your wallet does not know this network. Add it there first. Nothing was sent.';
    return String(message || 'The wallet did not do it.').slice(0, 300);
  }
})();
