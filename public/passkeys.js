// Passkeys need a script: the browser's part between the server's question and its answer. The forms that it serves are
// hidden until it runs, and send what the browser said in a field of theirs, like any form.
(() => {
  // Browsers before 2025 cannot read the server's JSON; their users have passwords.
  if (typeof PublicKeyCredential?.parseRequestOptionsFromJSON !== 'function') return;
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', onSubmit);
    // Hidden until now, it could not be gone to.
    form.querySelector('[aria-invalid=true]')?.focus();
  }

  async function onSubmit(event) {
    const form = event.currentTarget;
    event.preventDefault();
    const said = form.querySelector('[data-said]');
    said.textContent = '';
    try {
      const credential = await ask(form.dataset.passkey, await optionsFor(form));
      form.elements.credential.value = JSON.stringify(credential);
      // Not requestSubmit: that would come here again.
      form.submit();
    } catch (error) {
      said.textContent = failureMessage(error, said.dataset);
    }
  }

  async function optionsFor({ dataset, elements }) {
    const body = new URLSearchParams({ csrf: elements.csrf?.value ?? '' });
    const response = await fetch(dataset.options, { method: 'POST', body });
    const answer = response.headers.get('content-type')?.includes('json') ? await response.json() : {};
    if (response.ok && answer.challenge) return answer;
    // Elsewhere than asked: the session has ended, or wants a new proof. Loading the page again leads there.
    if (response.redirected) location.reload();
    throw new Error(answer.detail);
  }

  function ask(what, options) {
    if (what === 'create') {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      return navigator.credentials.create({ publicKey });
    }
    return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  }

  function failureMessage({ name, message }, { known, none }) {
    if (name === 'InvalidStateError') return known;
    if (name === 'Error' && message) return message;
    return none;
  }
})();
