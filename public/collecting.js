// Collecting by a wallet in the browser: finds wallets (EIP-6963), asks the chosen one to send exactly what the page
// shows, and tells what the chain says of it. Without it the page has two other ways.
import { accountOn, failureMessage, holdAll, messagesOf, offerWallets, sendOn } from './browser-wallets.js';
import { answerOf, lookOn } from './looking.js';

const SENT = 'rappen.collecting';
/** A transaction that no block took by then is not waited for any more, nor does it stand in the way. */
const FORGOTTEN_MS = 30 * 60_000;
const POLL_MS = 1_500;
/** Where the server says what became of a transaction. */
const SENT_PATH = document.querySelector('[data-sent-path]').dataset.sentPath;
const calls = document.querySelector('[data-plan]');
const messages = calls ? messagesOf(calls) : {};
const MESSAGES = {
  waiting: () => messages.waiting,
  included: ({ amountsText, unpaidMessage }) => `${filled(messages.included, amountsText)} ${unpaidMessage}`,
  final: ({ amountsText, unpaidMessage }) => `${filled(messages.final, amountsText)} ${unpaidMessage}`,
  nothing: ({ unpaidMessage }) =>
    unpaidMessage ? `${messages.movedNothing} ${unpaidMessage}` : messages.nothing,
  failed: () => messages.failed,
};
const isBusy = { now: false };

if (calls) offer();
else tellPending();

function offer() {
  offerWallets(messages.collect, collect);
  void follow(remembered(calls.dataset).filter((sent) => itemOf(sent)));
}

function items() {
  return [...calls.querySelectorAll('[data-data]')];
}

/** By what was sent, never by its place: what another part collected is in no later plan, and the others move up. */
function itemOf({ data }) {
  return items().find((item) => item.dataset.data === data);
}

/** A text of the page's with what only we know. */
function filled(text, value) {
  return text.replace('{}', () => value);
}

function say(item, text) {
  const said = item.querySelector('[data-said]');
  if (said.textContent !== text) said.textContent = text;
}

/** Which addresses did not pay out. */
function list(item, unpaid) {
  const box = item.querySelector('[data-unpaid]');
  box.hidden = unpaid.length === 0;
  box
    .querySelector('ul')
    .replaceChildren(
      ...unpaid.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
    );
}

async function collect(provider) {
  if (isBusy.now) return;
  busy(true);
  let at = items()[0];
  try {
    const from = await accountOn(provider, Number(calls.dataset.chain));
    for (const item of items()) {
      at = item;
      const waiting = remembered(calls.dataset).find(({ data }) => data === item.dataset.data);
      if (waiting) {
        say(item, filled(messages.twice, waiting.txid));
        continue;
      }
      if (!(await isStillThere(item))) {
        say(item, messages.changed);
        continue;
      }
      say(item, messages.asks);
      const { to, data } = item.dataset;
      const txid = await sendOn(provider, Number(calls.dataset.chain), { from, to, data, value: '0x0' });
      const sent = { ...placeOf(), txid, data, atMs: Date.now() };
      remember(sent);
      void follow([sent]);
    }
  } catch (error) {
    say(at, failureMessage(error, messages));
  } finally {
    busy(false);
  }
}

function placeOf() {
  const { network, networkName, asset } = calls.dataset;
  return { network, networkName, asset };
}

/** By the newest block: what somebody else collected a moment ago is not paid for a second time. */
async function isStillThere({ dataset }) {
  const response = await fetch(calls.dataset.plan, { headers: { accept: 'application/json' } });
  if (response.redirected) location.reload();
  if (!response.ok) throw new Error(messages.unread);
  return (await response.json()).calls.includes(dataset.data);
}

async function follow(all) {
  await Promise.all(all.map((sent) => followOne(sent)));
}

async function followOne(sent) {
  const item = itemOf(sent);
  let known = null;
  const look = async () => {
    const { told, isSignedOut } = await stateOf(sent);
    const { state } = told;
    // A node can forget what lay where before its network calls the block final.
    if (told.isKnown || state === 'waiting' || state === 'failed') known = told;
    const { unpaid, unpaidMessage, isKnown } = known ?? told;
    if (state) {
      say(item, MESSAGES[state]({ ...told, unpaidMessage }).trim());
      list(item, unpaid);
    }
    if (state === 'final') item.dataset.done = '';
    // What is done is not offered once more.
    document.querySelector('.ways').hidden = items().every(({ dataset }) => 'done' in dataset);
    // Until it is final a reorganisation may undo it: then it waits again, and the page says so.
    if (state !== 'failed' && !(isKnown && (state === 'final' || state === 'nothing'))) return !isSignedOut;
    forget(sent);
    return false;
  };
  if (await look()) await lookOn(look, POLL_MS);
}

/** Nothing is told where the answer did not come. */
async function stateOf({ network, txid }) {
  const { told, isSignedOut } = await answerOf(`${SENT_PATH}?${new URLSearchParams({ network, txid })}`);
  return { told: told ?? {}, isSignedOut };
}

/** On the list of what lies where: what was sent from this browser and is in no block yet. */
async function tellPending() {
  const box = document.querySelector('[data-pending]');
  if (!box) return;
  const states = await Promise.all(
    remembered({}).map(async (sent) => ({ ...sent, ...(await stateOf(sent)).told })),
  );
  for (const sent of states)
    if (sent.state && sent.state !== 'waiting' && sent.state !== 'included') forget(sent);
  const waiting = states.filter(({ state }) => state === 'waiting');
  box.hidden = waiting.length === 0;
  const { pending, place } = messagesOf(box);
  const placeText = ({ asset, networkName }) =>
    place.replace('{asset}', () => asset).replace('{network}', () => networkName);
  const all = waiting.map((sent) => `${placeText(sent)} (${sent.txid})`).join(', ');
  box.querySelector('[data-pending-text]').textContent = filled(pending, all);
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
  holdAll(now);
}
