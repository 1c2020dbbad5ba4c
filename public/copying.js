import { copyText } from './clipboard.js';

const COPIED_MS = 2000;

/** Makes the buttons of `data-copy` copy: each says by its icon that it did, and a screen reader by `#live`. */
export function copyOnClick() {
  const live = document.getElementById('live');
  document.documentElement.classList.add('js');
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    if (!button || !(await copyText(button.dataset.copy))) return;
    button.classList.add('copied');
    if (live) live.textContent = live.dataset.copied ?? '';
    setTimeout(() => {
      button.classList.remove('copied');
      if (live) live.textContent = '';
    }, COPIED_MS);
  });
}
