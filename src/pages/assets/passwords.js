// Buttons that show what is typed into a password field. Without this script they stay hidden.

for (const button of document.querySelectorAll('button[data-reveal]')) {
  const input = document.getElementById(button.dataset.reveal);
  const { show, hide, showPassword, hidePassword } = button.dataset;
  const reveal = (shown) => {
    input.type = shown ? 'text' : 'password';
    button.textContent = shown ? hide : show;
    button.setAttribute('aria-label', shown ? hidePassword : showPassword);
  };
  reveal(false);
  button.hidden = false;
  button.addEventListener('click', () => {
    reveal(input.type === 'password');
    input.focus();
  });
  // The browser remembers what was typed into text fields, so passwords leave the page as passwords.
  input.form?.addEventListener('submit', () => reveal(false));
}
