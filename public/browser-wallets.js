// Wallets that extensions of the browser announce to a page (EIP-6963), and what they are asked.

/**
 * Puts a button for each wallet that answers into the page's `[data-wallets]`, instead of its `[data-no-wallet]`.
 * @param verb such as "Send with": the wallet's name follows it
 * @param onChosen takes the wallet's provider (EIP-1193)
 */
export function offerWallets(verb, onChosen) {
  const wallets = document.querySelector('[data-wallets]');
  const known = new Set();
  window.addEventListener('eip6963:announceProvider', ({ detail }) => {
    const { info, provider } = detail ?? {};
    if (!info?.uuid || !provider?.request || known.has(info.uuid)) return;
    const button = buttonFor(info, verb);
    if (known.size === 0) button.classList.add('button-main');
    button.addEventListener('click', () => void onChosen(provider));
    known.add(info.uuid);
    wallets.hidden = false;
    document.querySelector('[data-no-wallet]').hidden = true;
    wallets.append(button);
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
}

/** What an extension says of itself is text and a picture, never markup. */
function buttonFor({ name, icon }, verb) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'button' });
  if (typeof icon === 'string' && icon.startsWith('data:image/')) {
    const image = document.createElement('img');
    Object.assign(image, { src: icon, alt: '', width: 20, height: 20 });
    button.append(image, ' ');
  }
  button.append(`${verb} ${String(name).slice(0, 40)}`);
  return button;
}

/** @returns the account that the wallet lets the page use, once it is on the network. @throws what `wordsFor` explains */
export async function accountOn(provider, chain) {
  const [account] = await provider.request({ method: 'eth_requestAccounts' });
  const current = async () => Number(await provider.request({ method: 'eth_chainId' }));
  if ((await current()) === chain) return account;
  const chainId = `0x${chain.toString(16)}`;
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  if ((await current()) !== chain) throw new Error('The wallet is on another network. Nothing was sent.');
  return account;
}

/** What went wrong, for the person before the page: the wallet's own words where it gives no known code. */
export function wordsFor({ code, message }) {
  if (code === 4001) return 'You refused in your wallet. Nothing was sent.';
  if (code === 4902) return 'Your wallet does not know this network. Add it there first. Nothing was sent.';
  return String(message || 'The wallet did not do it.').slice(0, 300);
}
