// Comfort for the documentation: a button that copies a block of code. Everything else works without it.
import { copyText } from './clipboard.js';

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    if (!(await copyText(block.textContent))) return;
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  block.before(button);
}
