// Opens the page that asks before something is done as a dialog, where the link to it stands. Without this script, or when
// the page isn't the expected one, the link leads there.

let isAsking = false;

document.addEventListener('click', async (event) => {
  const link = event.target.closest('a[data-ask]');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (isAsking) return;
  isAsking = true;
  // Safari doesn't do that by itself; the focus returns to it afterwards.
  link.focus();
  try {
    await ask(link.href);
  } catch {
    location.assign(link.href);
  } finally {
    isAsking = false;
  }
});

async function ask(url) {
  const response = await fetch(url);
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
