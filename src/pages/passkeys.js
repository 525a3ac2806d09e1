// Forms that need a passkey: fetches a challenge, has the browser's authenticator answer it, and sends the form with the
// answer. Without JavaScript, or in a browser without passkeys, these forms stay hidden.

const supported =
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!supported) continue;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    answer(form).then(
      () => form.submit(),
      (error) => complain(form, error),
    );
  });
}

async function answer(form) {
  const response = await fetch(form.dataset.options, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { options, challenge } = await response.json();
  const credential =
    form.dataset.passkey === 'create'
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  form.elements.answer.value = JSON.stringify(credential.toJSON());
  form.elements.challenge.value = challenge;
}

function complain(form, error) {
  const alert = form.querySelector('[role=alert]');
  if (alert === null) return;
  // The person has closed the browser's own window, or let it wait: they know.
  alert.hidden = error.name === 'NotAllowedError';
  alert.textContent = form.dataset.failed;
}
