// Wallets that extensions of the browser announce to a page (EIP-6963), and what they are asked.

/** Codes of EIP-1193 and EIP-3085, and our own. */
const KNOWN = { 4001: 'refused', 4902: 'unknownNetwork', wrongNetwork: 'wrongNetwork' };

/** @param onFound takes what the wallet says of itself, and its provider (EIP-1193); once for each wallet */
export function findWallets(onFound) {
  const known = new Set();
  window.addEventListener('eip6963:announceProvider', ({ detail }) => {
    const { info, provider } = detail ?? {};
    if (!info?.uuid || !provider?.request || known.has(info.uuid)) return;
    known.add(info.uuid);
    onFound(info, provider);
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
}

/**
 * Puts a button for each wallet that answers into the page's `[data-wallets]`, instead of its `[data-no-wallet]`.
 * @param text such as "Send with {}", for the wallet's name
 * @param onChosen takes the wallet's provider
 */
export function offerWallets(text, onChosen) {
  const wallets = document.querySelector('[data-wallets]');
  findWallets((info, provider) => {
    const button = walletButton(info, text);
    if (wallets.childElementCount === 0) button.classList.add('button-main');
    button.addEventListener('click', () => void onChosen(provider));
    wallets.hidden = false;
    document.querySelector('[data-no-wallet]').hidden = true;
    wallets.append(button);
  });
}

/** While one of them is asked, none can be chosen. */
export function holdAll(isHeld) {
  for (const button of document.querySelectorAll('[data-wallets] button')) button.disabled = isHeld;
}

/** What an extension says of itself is text and a picture, never markup. */
export function walletButton({ name, icon }, text) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'button' });
  if (typeof icon === 'string' && icon.startsWith('data:image/')) {
    const image = document.createElement('img');
    Object.assign(image, { src: icon, alt: '', width: 20, height: 20 });
    button.append(image, ' ');
  }
  button.append(text.replace('{}', () => String(name).slice(0, 40)));
  return button;
}

/** @returns the account that the wallet lets the page use, once it is on the network. @throws what `failureMessage` explains */
export async function accountOn(provider, chain) {
  const [account] = await provider.request({ method: 'eth_requestAccounts' });
  if (await isOn(provider, chain)) return account;
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hexOf(chain) }] });
  if (!(await isOn(provider, chain))) throw wrongNetwork();
  return account;
}

/**
 * Asks the wallet to send, on this network or not at all: it may have been switched since it gave its account.
 * @param call `{ from, to, data, value }`, in hexadecimal. @returns the transaction's id. @throws what `failureMessage` explains
 */
export async function sendOn(provider, chain, call) {
  if (!(await isOn(provider, chain))) throw wrongNetwork();
  const params = [{ ...call, chainId: hexOf(chain) }];
  return provider.request({ method: 'eth_sendTransaction', params });
}

const hexOf = (chain) => `0x${chain.toString(16)}`;
const isOn = async (provider, chain) => Number(await provider.request({ method: 'eth_chainId' })) === chain;
const wrongNetwork = () => Object.assign(new Error(), { code: 'wrongNetwork' });

const PREFIX = 'message';

/** What the page says in its reader's language: `data-message-not-done` of the element is `notDone`. */
export function messagesOf(element) {
  const messages = Object.entries(element.dataset).filter(([name]) => name.startsWith(PREFIX));
  return Object.fromEntries(
    messages.map(([name, text]) => [
      name.charAt(PREFIX.length).toLowerCase() + name.slice(PREFIX.length + 1),
      text,
    ]),
  );
}

/** What went wrong, for the person before the page: the wallet's own words where it gives no known code. */
export function failureMessage({ code, message }, messages) {
  return messages[KNOWN[code]] ?? String(message || messages.notDone || '').slice(0, 300);
}
