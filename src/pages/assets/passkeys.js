// Forms that need a passkey: fetches a challenge for what is filled in, has the browser's authenticator answer it, and
// sends the form with the answer. Without JavaScript, or in a browser without passkeys, forms that work with nothing else
// stay hidden, with the <details> around them. A form in which the passkey stands beside a password has a button of its own
// for it.

const supported =
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** A challenge is accepted for five minutes, so one that waits in a field's autofill is replaced before. */
const autofillLifetime = 4 * 60 * 1000;

for (const notice of document.querySelectorAll('[data-without-passkeys]')) notice.hidden = supported;

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!supported) continue;
  (form.closest('details') ?? form).hidden = false;
  const stopAutofill = form.hasAttribute('data-autofill') ? offerInAutofill(form) : () => {};
  const ownButton = form.querySelector('[data-create-passkey]');
  let waiting = false;
  const start = (event) => {
    event.preventDefault();
    if (ownButton !== null && !isFilledIn(form)) return;
    // Ignore clicks while a request is running, so that one wrong password isn't counted twice.
    if (waiting) return;
    waiting = true;
    complain(form, '');
    stopAutofill();
    answer(form)
      .then(
        () => send(form),
        (error) => {
          // The form goes out as it is, and is answered with a page that asks for proof.
          if (error.unproven) form.submit();
          // No message when the person dismissed the browser's dialog, or it timed out.
          else complain(form, error.name === 'NotAllowedError' ? '' : (error.sentence ?? form.dataset.failed));
        },
      )
      .finally(() => {
        waiting = false;
      });
  };
  if (ownButton !== null) {
    ownButton.parentElement.hidden = false;
    // Without the script, it's the button to look for.
    form.querySelector('[data-instead] .primary')?.classList.remove('primary');
    ownButton.addEventListener('click', start);
  }
  if (form.querySelector('[data-instead]') === null) form.addEventListener('submit', start);
}

/** Whether everything but the password is, for which the browser says what is missing. */
function isFilledIn(form) {
  return [...form.elements].every((field) => field.closest('[data-instead]') !== null || field.reportValidity());
}

/** Has the browser offer passkeys where the email address is filled in. Returns what ends the offer. */
function offerInAutofill(form) {
  let offer = new AbortController();
  let ended = false;
  const again = async () => {
    offer = new AbortController();
    const renewal = setTimeout(() => offer.abort(), autofillLifetime);
    try {
      await answer(form, { mediation: 'conditional', signal: offer.signal });
      ended = true;
      send(form);
    } catch (error) {
      // Anything but our own abort means that this browser can't; the button is still there.
      if (!ended && error.name === 'AbortError') again();
    } finally {
      clearTimeout(renewal);
    }
  };
  PublicKeyCredential.isConditionalMediationAvailable?.().then((available) => {
    if (available && !ended) again();
  });
  return () => {
    ended = true;
    offer.abort();
  };
}

async function answer(form, how = {}) {
  const response = await fetch(form.dataset.options, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  const { options, challenge, problem, proof } = await response.json();
  if (!response.ok) {
    throw Object.assign(new Error(`status ${response.status}`), { sentence: problem, unproven: proof === 'missing' });
  }
  const credential =
    form.dataset.passkey === 'create'
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
          ...how,
        });
  form.elements.answer.value = JSON.stringify(credential.toJSON());
  form.elements.challenge.value = challenge;
}

function send(form) {
  copyBoxes(form);
  form.submit();
}

/** A box that is ticked in another form of the page counts for this one, too. */
function copyBoxes(form) {
  for (const field of form.querySelectorAll('[data-copies]')) {
    const box = document.getElementById(field.dataset.copies);
    field.value = box.checked ? box.value : '';
  }
}

/** Shows a sentence in the form, or takes it away. */
function complain(form, sentence) {
  const alert = form.querySelector('p.alert[role=alert]');
  if (alert === null) return;
  alert.hidden = sentence === '';
  alert.textContent = sentence;
}
