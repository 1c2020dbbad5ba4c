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
    // What was chosen is at the top now, to be tapped again.
    const [list, choice] = ['apps', 'open-wallet'].map((id) => document.getElementById(id));
    list.open = false;
    (leadWithLast() ?? choice).focus();
  });
  return leadWithLast;
}

/** @returns its link, where there is one */
function leadWithLast() {
  const link = document.getElementById('open-last');
  const last = document.querySelector(`li [data-app="${CSS.escape(remembered())}"]`);
  if (!link || !last || last.dataset.app === 'other') return null;
  const { href, target, rel } = last;
  const textContent = link.parentNode.dataset.open.replace('{}', () => last.textContent);
  Object.assign(link, { href, target, rel, textContent, hidden: false });
  link.dataset.app = last.dataset.app;
  const choice = document.getElementById('open-wallet');
  choice.classList.remove('button-main');
  choice.textContent = document.querySelector('[data-app=other]').textContent;
  return link;
}

/** A page that is still in front after a moment has opened no wallet, and who comes back may have seen none. */
function helpIfNothingOpens() {
  const place = document.getElementById('nothing-opened');
  // Its room is there from the tap on, so that nothing moves under a finger later.
  place.hidden = false;
  place.style.visibility = 'hidden';
  const help = () => {
    if (!document.hidden) place.style.visibility = '';
  };
  setTimeout(help, NOTHING_OPENED_MS);
  document.addEventListener('visibilitychange', help);
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
