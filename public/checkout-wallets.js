// Paying by a wallet in the browser: asks it for exactly what the page shows. That it was paid is what the chain says, and
// the page shows that by itself.
import { accountOn, failureMessage, findWallets, holdAll, sendOn, walletButton } from './browser-wallets.js';

const LAST_WALLET = 'rappen.wallet';
const RECEIPT_MS = 3000;
/** Codes of JSON-RPC wallets: a question is open already; and how nodes say that the money is not there. */
const PENDING = -32002;
const TOO_LITTLE = /insufficient|exceeds.*balance/i;

/**
 * @param isCurrent whether the server still asks for what the page shows. @throws where it cannot be reached
 * @param unreachable what is said then
 * @returns offers the wallets in the page as it is now: to be called again when it has changed
 */
export function browserWallets({ isCurrent, unreachable }) {
  const wallets = [];
  let busy = false;
  let timer = 0;
  /** What this page has sent: the browser may keep nothing. */
  let sentByPage = null;
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === sentKey()) showSent(newValue);
  });
  findWallets(found);
  // In the browser of a wallet's app there is one wallet, and not each of those says so.
  const { ethereum } = window;
  if (wallets.length === 0 && ethereum?.request && matchMedia('(hover: none)').matches) found({}, ethereum);
  return offer;

  function found(info, provider) {
    if (wallets[0] && !wallets[0].info.name) wallets.pop();
    wallets.push({ info, provider });
    offer();
  }

  function offer() {
    const block = part('browser-wallets');
    clearTimeout(timer);
    if (!block || wallets.length === 0) return;
    document.documentElement.classList.add('has-wallet');
    block.hidden = false;
    // What is below keeps its place when one button takes the place of others.
    block.style.minHeight = `${block.offsetHeight}px`;
    const sent = sentHere();
    const again = part('wallet-again');
    again.hidden = sent === null;
    again.onclick = () => tellSent(null);
    const place = block.querySelector('[data-wallets]');
    place.hidden = sent !== null;
    if (sent !== null) {
      say(messages().sent);
      timer = setTimeout(() => void look(sent), RECEIPT_MS);
      return;
    }
    const last = stored(LAST_WALLET);
    const inOrder = [...wallets].sort((a, b) => (b.info.rdns === last) - (a.info.rdns === last));
    place.replaceChildren(...inOrder.map((wallet) => buttonOf(wallet)));
    place.firstElementChild.classList.add('button-main');
  }

  function buttonOf({ info, provider }) {
    const { payWith, nameless } = messages();
    const button = walletButton({ name: nameless, ...info }, payWith);
    button.disabled = busy;
    button.onclick = () => {
      store(LAST_WALLET, info.rdns ?? null);
      void pay(provider);
    };
    return button;
  }

  async function pay(provider) {
    if (busy) return;
    setBusy(true);
    const block = part('browser-wallets');
    const { chain, to, data, value } = block.dataset;
    const texts = messages();
    try {
      say(texts.connects);
      const from = await accountOn(provider, Number(chain));
      if (await isTooLittle(provider, { from, to, data, value })) return say(texts.noFunds);
      const current = await isCurrent().catch(() => null);
      if (current === null) return say(unreachable());
      // The page may have changed by itself while the wallet was asked for the account.
      if (!current || !block.isConnected) return say(texts.changed);
      // In another tab it may have been sent meanwhile.
      if (sentHere() !== null) return offer();
      say(texts.asks);
      tellSent(await sendOn(provider, Number(chain), { from, to, data, value }));
    } catch (error) {
      say(explained(error, texts));
    } finally {
      setBusy(false);
    }
  }

  /** Whether a transaction that no page of ours has seen yet was refused by the chain: then it is over, and said. */
  async function look(txid) {
    const params = [txid];
    const asked = wallets.map(({ provider }) =>
      provider.request({ method: 'eth_getTransactionReceipt', params }).catch(() => null),
    );
    const receipts = await Promise.all(asked);
    if (sentHere() !== txid) return;
    if (!receipts.some((receipt) => Number(receipt?.status ?? 1) === 0)) {
      timer = setTimeout(() => void look(txid), RECEIPT_MS);
      return;
    }
    tellSent(null);
    say(messages().undone);
  }

  /** What was sent from this browser and is not on the page yet; nothing is sent twice meanwhile. */
  function sentHere() {
    const shown = document.querySelector('[data-region=record]').textContent;
    return [sentByPage, stored(sentKey())].find((txid) => txid && !shown.includes(txid)) ?? null;
  }

  function tellSent(txid) {
    store(sentKey(), txid);
    showSent(txid);
  }

  function showSent(txid) {
    sentByPage = txid;
    say(messages().first);
    offer();
  }

  function setBusy(now) {
    busy = now;
    holdAll(now);
  }

  function say(text) {
    const said = part('wallet-said');
    if (said && said.textContent !== text) said.textContent = text;
  }
}

/** Before the wallet asks: some say it only in a window that has closed, and some send what the token refuses. */
async function isTooLittle(provider, { from, to, data, value }) {
  const request = (method, call) => provider.request({ method, params: [call, 'latest'] }).then(BigInt);
  const isToken = data !== '0x';
  // balanceOf(from), and what `transfer` has as its second argument.
  const balanceOf = { to, data: `0x70a08231${from.slice(2).toLowerCase().padStart(64, '0')}` };
  const wanted = isToken ? BigInt(`0x${data.slice(-64)}`) : BigInt(value);
  try {
    const held = isToken ? await request('eth_call', balanceOf) : await request('eth_getBalance', from);
    return held < wanted;
  } catch {
    // A wallet that does not say is asked all the same.
    return false;
  }
}

function explained(error, texts) {
  const message = String(error?.message ?? error);
  if (error?.code === PENDING) return texts.pending;
  if (TOO_LITTLE.test(message)) return texts.noFunds;
  const known = failureMessage(error ?? {}, texts);
  return known === message ? `${texts.failed} ${message}` : known;
}

const part = (id) => document.getElementById(id);
const messages = () => JSON.parse(part('browser-wallets')?.dataset.messages ?? '{}');
const sentKey = () => `rappen.sent.${part('main').dataset.id}`;

function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser that stores nothing sends all the same.
  }
}
