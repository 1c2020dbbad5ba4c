// Apps on the same phone: the one that was opened last leads, and where nothing opens the page helps.

const LAST_APP = 'rappen.app';
const NOTHING_OPENED_MS = 2500;

/** @returns puts the app that was opened last before the others, in the page as it is now */
export function phoneWallets() {
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('#open-last, [data-app]');
    if (!link) return;
    remember(link.dataset.app);
    helpIfNothingOpens();
  });
  return leadWithLast;
}

function leadWithLast() {
  const link = document.getElementById('open-last');
  const last = document.querySelector(`[data-app="${CSS.escape(remembered())}"]`);
  if (!link || !last?.dataset.open) return;
  Object.assign(link, { href: last.href, textContent: last.dataset.open, hidden: false });
  link.dataset.app = last.dataset.app;
  const choice = document.getElementById('open-wallet');
  choice.classList.remove('button-main');
  choice.textContent = document.querySelector('[data-app=other]').textContent;
}

/** A page that is still in front after a moment has opened no wallet, and who comes back may have seen none. */
function helpIfNothingOpens() {
  const help = () => {
    const text = document.getElementById('nothing-opened');
    if (text && !document.hidden) text.hidden = false;
  };
  setTimeout(help, NOTHING_OPENED_MS);
  document.addEventListener('visibilitychange', help, { once: true });
}

function remembered() {
  try {
    return localStorage.getItem(LAST_APP) ?? '';
  } catch {
    return '';
  }
}

function remember(app) {
  try {
    localStorage.setItem(LAST_APP, app);
  } catch {
    // A browser that stores nothing opens all the same.
  }
}
