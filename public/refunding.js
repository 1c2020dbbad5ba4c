// A refund on its way: pays it by a wallet in the browser (EIP-6963) with exactly what the page shows, and loads the page
// again when the chain says something new. Without it the page has two other ways.
import { accountOn, failureMessage, holdAll, messagesOf, offerWallets, sendOn } from './browser-wallets.js';
import { answerOf, lookOn } from './looking.js';

const POLL_MS = 2_000;
const refund = document.querySelector('[data-refund]');
const call = document.querySelector('[data-call]');
const messages = call ? messagesOf(call) : {};
const form = document.querySelector('[data-sent]');
const KEPT = `rappen.refund.${refund.dataset.refund}`;
let isBusy = false;

if (call) offer();
if (refund.dataset.waiting !== undefined) void lookOn(look, POLL_MS);

function offer() {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEPT && newValue !== null) tellBefore(newValue);
  });
  const before = sentBefore();
  if (before !== null) tellBefore(before);
  else offerWallets(messages.send, send);
}

/** It was sent, and what was sent could not be told here: never a second time. */
function tellBefore(txid) {
  form.elements.txid.value = txid;
  say(messages.before.replace('{}', () => txid));
  for (const part of document.querySelectorAll('[data-wallets], [data-no-wallet]')) part.hidden = true;
}

async function send(provider) {
  if (isBusy) return;
  busy(true);
  const txid = await sentBy(provider).catch((error) => say(failureMessage(error, messages)));
  if (!txid) return busy(false);
  keep(txid);
  form.elements.txid.value = txid;
  say(messages.sent.replace('{}', () => txid));
  // Its answer may take long: nothing can be pressed until then.
  form.submit();
}

/** @returns the transaction's id; nothing where the wallet was not asked */
async function sentBy(provider) {
  const { chain, to, data, value } = call.dataset;
  const from = await accountOn(provider, Number(chain));
  const { told } = await answerOf(refund.dataset.look);
  if (told === null) throw new Error(messages.unknown);
  // In another tab, or by somebody else, it may be on its way already.
  if (isOver(told)) return showAnew();
  const before = sentBefore();
  if (before !== null) return tellBefore(before);
  say(messages.asks);
  return sendOn(provider, Number(chain), { from, to, data, value });
}

/** Not as a reload: where the page answers a form, that would send the form again. */
function showAnew() {
  location.assign(refund.dataset.page);
}

// Whoever has opened it last is the one who pays it.
function isOver(now) {
  return now.state !== 'asked' || openedIn(now) !== refund.dataset.opened;
}

function openedIn({ openedAt }) {
  return openedAt ?? '';
}

/** @returns whether to look again */
async function look() {
  const { told: now, isSignedOut } = await answerOf(refund.dataset.look);
  if (isSignedOut) return false;
  // Never under the hands of somebody who is sending, or typing.
  const isTyping = form !== null && form.contains(document.activeElement);
  const isNew =
    now !== null && (now.state !== refund.dataset.state || openedIn(now) !== refund.dataset.opened);
  if (!isNew || isBusy || isTyping) return true;
  showAnew();
  return false;
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

function busy(now) {
  isBusy = now;
  holdAll(now);
}

function say(text) {
  call.querySelector('[data-said]').textContent = text;
}
