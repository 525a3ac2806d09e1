// Dismisses a notice, and takes it out of the page's address, so that it doesn't come back when the page is loaded again.

const address = new URL(location.href);
for (const name of ['done', 'undo']) address.searchParams.delete(name);
if (address.href !== location.href) history.replaceState(history.state, '', address);

for (const link of document.querySelectorAll('a[data-dismiss]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    link.parentElement.remove();
  });
}
