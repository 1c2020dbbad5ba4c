// What a tap leads to: the server is asked first, and where it does not answer the page stays and says so. A browser's own
// error page would take the address away from somebody who is about to pay.

const ANSWER_MS = 20000;
const READ_MS = 6000;

/**
 * @param show puts the text of a page in the place of this one, at an address. @returns whether it is such a page. Null where
 *   no page can be shown in place
 * @param say tells those who do not see the page
 * @param look asks what is true now
 * @param onLost is called when the server could not be reached
 * @returns called while the server can be reached: what was said of that is over, once there was time to read it
 */
export function guardTaps({ show, say, look, onLost }) {
  const place = document.getElementById('unsent');
  const passing = new WeakSet();
  let saidAtMs = 0;

  document.addEventListener('click', (event) => {
    place.hidden = true;
    const link = event.target.closest('a[href]');
    if (!link || !opensHere(event, link) || passing.delete(link)) return;
    event.preventDefault();
    void once(link, () => follow(link));
  });
  document.addEventListener('submit', (event) => {
    event.preventDefault();
    void once(event.target, () => send(event.target));
  });
  return () => {
    if (saidAtMs === 0 || performance.now() - saidAtMs < READ_MS) return;
    saidAtMs = 0;
    place.hidden = true;
  };

  async function follow(link) {
    const isOwn = show !== null && link.origin === location.origin;
    // Another's page cannot be asked for from here: that we can be reached has to do.
    const address = isOwn ? link.href : document.querySelector('link[rel=icon]').href;
    let response;
    let html;
    try {
      // A redirect leads to the shop, whose page is not for this script.
      response = await ask(address, { redirect: 'manual' });
      html = isOwn && response.ok ? await response.text() : '';
    } catch {
      return tell('away', true);
    }
    const isRedirect = response.type === 'opaqueredirect';
    if (!isRedirect && !response.ok)
      return tell(response.status === 429 ? 'often' : kindOf(response, 'broken'));
    if (html !== '' && show(html, link.href, null)) return;
    passing.add(link);
    link.click();
  }

  async function send(form) {
    let response;
    let html;
    try {
      response = await ask(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
      html = await response.text();
    } catch {
      // Without a network nothing has left the device; otherwise the answer may be all that was lost.
      return tell(navigator.onLine ? 'unanswered' : 'away', true);
    }
    // 422 is a page too: the form again, with what is wrong about it. Its address is the form's, not a page's.
    if (response.ok || response.status === 422) {
      if (!show(html, response.ok ? response.url : null, form)) location.reload();
    } else if (response.redirected) {
      // It was done, and its page could not be shown.
      tell('unanswered');
    } else {
      tell(response.status === 429 ? 'often' : kindOf(response, 'unanswered'));
    }
  }

  function kindOf({ status }, ifOurFault) {
    return status >= 500 ? ifOurFault : 'refused';
  }

  /** @param kind names the words, in the page. @param isLost is over once the server can be reached */
  function tell(kind, isLost = false) {
    saidAtMs = isLost ? performance.now() : 0;
    place.textContent = place.dataset[kind];
    place.hidden = false;
    say(place.textContent);
    if (isLost) onLost();
    if (isLost || kind === 'unanswered') look();
  }
}

/** Apps and new tabs take nothing away. */
function opensHere(event, { target, protocol }) {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
  return (
    button === 0 && !(metaKey || ctrlKey || shiftKey || altKey) && target === '' && /^https?:$/.test(protocol)
  );
}

/** A question that is never answered is over after a while: the phone may have another network by then. */
export function ask(address, options) {
  const signal = AbortSignal.timeout?.(ANSWER_MS);
  return fetch(address, { headers: { accept: 'text/html' }, cache: 'no-store', signal, ...options });
}

/** Not again while it waits for its answer. */
async function once(element, act) {
  if (element.ariaBusy === 'true') return;
  element.ariaBusy = 'true';
  try {
    await act();
  } finally {
    element.ariaBusy = 'false';
  }
}
