// Waits for something to happen: asks for the page again, and replaces the part of it that waits when its state is another one.
// Without this script, a link shows the page again.

const first = 3000;
const longest = 30_000;
const patience = 15 * 60_000;

const began = Date.now();
let pause = first;

async function look() {
  const part = document.querySelector('[data-poll]');
  if (part === null || Date.now() - began > patience) return;
  // A hidden page asks nothing.
  if (document.hidden) {
    document.addEventListener('visibilitychange', look, { once: true });
    return;
  }
  const response = await fetch(part.dataset.poll, { redirect: 'manual' }).catch(() => undefined);
  // Signed out, or no longer allowed.
  if (response?.ok === false && response.status < 500) return;
  if (response?.ok) {
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const now = page.getElementById(part.id);
    if (now !== null && now.dataset.state !== part.dataset.state) {
      // The element stays, so that what is new in it is read out.
      part.dataset.state = now.dataset.state;
      if (now.dataset.poll === undefined) delete part.dataset.poll;
      part.replaceChildren(...now.childNodes);
      document.dispatchEvent(new Event('latchkey:replaced'));
    }
  }
  // Often in the first minute, while an administrator is trying it.
  if (Date.now() - began > 60_000) pause = Math.min(longest, pause * 1.5);
  setTimeout(look, pause);
}

setTimeout(look, pause);
