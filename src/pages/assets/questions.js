// Opens the page that asks before something is done as a dialog, where the link to it stands or the button of a form that may be
// answered with it. Such a form is sent to be asked about first, which changes nothing. Without this script, or when the answer
// isn't a question, the link leads to its page and the form is sent.

let isAsking = false;
let isSending = false;

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-ask]');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  askFirst(link, link.href, {}, () => location.assign(link.href));
});

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (isSending || submitter?.dataset.ask === undefined) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, submitter));
  askFirst(submitter, `${form.getAttribute('action')}/ask`, { method: 'POST', body }, () => {
    // The page may have replaced it in the meantime.
    if (!form.isConnected) return location.reload();
    isSending = true;
    form.requestSubmit(submitter);
    isSending = false;
  });
});

async function askFirst(control, url, request, goOn) {
  if (isAsking) return;
  isAsking = true;
  // Safari doesn't do that by itself; the focus returns to it afterwards.
  control.focus();
  try {
    await ask(url, request);
  } catch {
    goOn();
  } finally {
    isAsking = false;
  }
}

async function ask(url, request) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const question = page.getElementById('question');
  // Someone who was signed out in the meantime gets another page.
  if (!response.ok || response.redirected || question === null) throw new Error('not a question');
  const title = document.createElement('h2');
  title.className = 'section-title';
  title.id = 'question-title';
  title.textContent = page.querySelector('h1').textContent;
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.setAttribute('aria-describedby', 'question-text');
  // A click beside it closes it.
  dialog.closedBy = 'any';
  dialog.append(title, ...question.children);
  const cancel = dialog.querySelector('[data-cancel]');
  cancel.addEventListener('click', (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  cancel.focus();
}
