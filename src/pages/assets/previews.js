// Shows what a form would change while it's being filled in. Each preview is a frame with a page of its own.

const frames = [...document.querySelectorAll('iframe[data-preview]')];
let waiting;

function show(form) {
  const values = new URLSearchParams(new FormData(form));
  values.delete('form_token');
  for (const { contentWindow, dataset } of frames) {
    // A new address would be another step of the way back.
    contentWindow.location.replace(`${dataset.preview}&${values}`);
  }
}

document.addEventListener('input', ({ target }) => {
  if (!target.form?.querySelector('iframe[data-preview]')) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => show(target.form), 300);
});
