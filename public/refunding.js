// A refund on its way: pays it by a wallet in the browser (EIP-6963) with exactly what the page shows, and loads the page
// again when the chain says something new. Without it the page has two other ways.
import { accountOn, failureMessage, messagesOf, offerWallets, sendOn } from './browser-wallets.js';

const POLL_MS = 2_000;
const refund = document.querySelector('[data-refund]');
const call = document.querySelector('[data-call]');
const messages = call ? messagesOf(call) : {};
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
    say(messages.before.replace('{}', () => before));
    document.querySelector('[data-no-wallet]').hidden = true;
    return;
  }
  offerWallets(messages.send, send);
}

async function send(provider) {
  if (isBusy) return;
  isBusy = true;
  try {
    const { chain, to, data, value } = call.dataset;
    const from = await accountOn(provider, Number(chain));
    // In another tab, or by somebody else, it may be on its way already.
    if (isOver(await stateNow())) return location.reload();
    say(messages.asks);
    const txid = await sendOn(provider, Number(chain), { from, to, data, value });
    keep(txid);
    form.elements.txid.value = txid;
    say(messages.sent.replace('{}', () => txid));
    form.submit();
  } catch (error) {
    say(failureMessage(error, messages));
  } finally {
    isBusy = false;
  }
}

async function stateNow() {
  const response = await fetch(refund.dataset.look);
  if (!response.ok || response.redirected) throw new Error(messages.unknown);
  return response.json();
}

// Whoever has opened it last is the one who pays it.
function isOver(now) {
  return now.state !== 'asked' || openedIn(now) !== refund.dataset.opened;
}

function openedIn({ openedAt }) {
  return openedAt ?? '';
}

async function look() {
  const now = await stateNow().catch(() => null);
  // Never under the hands of somebody who is sending, or typing.
  const isTyping = form !== null && form.contains(document.activeElement);
  const isNew =
    now !== null && (now.state !== refund.dataset.state || openedIn(now) !== refund.dataset.opened);
  if (isNew && !isBusy && !isTyping) location.reload();
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
