// A refund on its way: pays it by a wallet in the browser (EIP-6963) with exactly what the page shows, and loads the page
// again when the chain says something new. Without it the page has two other ways.
(() => {
  'use strict';
  const POLL_MS = 2_000;
  const refund = document.querySelector('[data-refund]');
  const call = document.querySelector('[data-call]');
  const form = document.querySelector('[data-sent]');
  const KEPT = `rappen.refund.${refund.dataset.refund}`;
  let isBusy = false;

  if (call) offer();
  if (refund.dataset.waiting !== undefined) setTimeout(look, POLL_MS);

  function offer() {
    const before = sentBefore();
    if (before !== null) {
      // It was sent, and what was sent could not be told here: never a second time.
      form.elements.txid.value = before;
      say(`Sent from this browser: ${before}. Press “Look for it”.`);
      document.querySelector('[data-no-wallet]').hidden = true;
      return;
    }
    const wallets = document.querySelector('[data-wallets]');
    const known = new Set();
    window.addEventListener('eip6963:announceProvider', ({ detail }) => {
      const { info, provider } = detail ?? {};
      if (!info?.uuid || !provider?.request || known.has(info.uuid)) return;
      known.add(info.uuid);
      wallets.hidden = false;
      document.querySelector('[data-no-wallet]').hidden = true;
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', className: 'button button-main' });
      button.textContent = `Send with ${String(info.name).slice(0, 40)}`;
      button.addEventListener('click', () => void send(provider));
      wallets.append(button);
    });
    window.dispatchEvent(new Event('eip6963:requestProvider'));
  }

  async function send(provider) {
    if (isBusy) return;
    isBusy = true;
    try {
      const [from] = await provider.request({ method: 'eth_requestAccounts' });
      const { chain, to, data, value } = call.dataset;
      const chainId = `0x${Number(chain).toString(16)}`;
      const current = async () => Number(await provider.request({ method: 'eth_chainId' }));
      if ((await current()) !== Number(chain)) {
        await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
        if ((await current()) !== Number(chain))
          throw new Error('The wallet is on another network. Nothing was sent.');
      }
      // In another tab, or by somebody else, it may be on its way already.
      if ((await stateNow()).state !== 'asked') return location.reload();
      say('Your wallet asks you now.');
      const txid = await provider.request({
        method: 'eth_sendTransaction',
        params: [{ from, to, data, value }],
      });
      keep(txid);
      form.elements.txid.value = txid;
      say(`Sent: ${txid}`);
      form.submit();
    } catch (error) {
      say(wordsFor(error));
    } finally {
      isBusy = false;
    }
  }

  async function stateNow() {
    const response = await fetch(refund.dataset.look);
    if (!response.ok || response.redirected)
      throw new Error('The state could not be looked up. Nothing was sent.');
    return response.json();
  }

  async function look() {
    const now = await stateNow().catch(() => null);
    // Never under the hands of somebody who is sending, or typing.
    const isTyping = form !== null && form.contains(document.activeElement);
    if (now !== null && now.state !== refund.dataset.state && !isBusy && !isTyping) location.reload();
    else setTimeout(look, POLL_MS);
  }

  function sentBefore() {
    try {
      return localStorage.getItem(KEPT);
    } catch {
      return null;
    }
  }

  function keep(txid) {
    try {
      localStorage.setItem(KEPT, txid);
    } catch {
      // A browser that stores nothing sends all the same.
    }
  }

  function say(text) {
    call.querySelector('[data-said]').textContent = text;
  }

  function wordsFor({ code, message }) {
    if (code === 4001) return 'You refused in your wallet. Nothing was sent.';
    if (code === 4902) return 'Your wallet does not know this network. Add it there first. Nothing was sent.';
    return String(message || 'The wallet did not do it.').slice(0, 300);
  }
})();
