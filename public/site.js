// Comfort for the documentation: copying, and the contents. Everything else works without it.
import { copyOnClick } from './copying.js';

copyOnClick();

// The contents cover the page on a phone, where a part of the same page is gone to.
const places = document.getElementById('places');
places?.addEventListener('click', ({ target }) => {
  if (target.closest('[href^="#"]') && places.matches(':popover-open')) places.hidePopover();
});

// Where one is: the last heading above the middle of the screen.
const parts = [...document.querySelectorAll('.contents a')];
if (parts.length > 0) {
  const seen = new IntersectionObserver(mark, { rootMargin: '0px 0px -50% 0px' });
  for (const part of parts) seen.observe(document.getElementById(part.hash.slice(1)));
}

function mark() {
  const isAbove = ({ hash }) =>
    document.getElementById(hash.slice(1)).getBoundingClientRect().top < innerHeight / 2;
  const here = parts.filter(isAbove).at(-1);
  for (const part of parts) {
    if (part === here) part.setAttribute('aria-current', 'true');
    else part.removeAttribute('aria-current');
  }
  if (!here?.checkVisibility()) return;
  const { top, bottom } = here.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) here.scrollIntoView({ block: 'nearest' });
}
