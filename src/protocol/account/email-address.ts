// The rules for email addresses: which are valid, and when two spellings mean the same account or mailbox.

const form = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/u;

export const emailLimit = 254;

/** Control characters and invisible ones: two addresses that look the same must not be two accounts. */
const invisible = /[\p{Cc}\p{Cf}\p{DI}\p{Co}\p{Cn}]/u;

/** Plausible enough to send email to. Only sending one shows whether the address exists. */
export function isEmail(value: string): boolean {
  // Mail servers and people read a wide ＠ or ＜ as the plain sign, so the rest would be another address.
  if (!mayBeEmail(value) || !form.test(value.normalize('NFKC'))) return false;
  const domain = value.slice(value.lastIndexOf('@') + 1);
  const hostname = URL.parse(`http://${domain}`)?.hostname ?? '';
  // Without IP addresses, which URL parsers find in 127.1, and without empty labels, such as behind a dot at the end.
  return !domain.includes('%') && !/^\d+(\.\d+){3}$/.test(hostname) && !/^\.|\.\.|\.$/.test(hostname);
}

/** Whether an account may have it: addresses were accepted by this rule once, and their owners must not be locked out. */
export function mayBeEmail(value: string): boolean {
  if (value.length > emailLimit || !value.isWellFormed() || !form.test(value) || invisible.test(value)) return false;
  return domainOf(value.slice(value.lastIndexOf('@') + 1)) !== undefined;
}

/**
 * Accounts are unique by this, and attempts are counted by it: every spelling of an address has the same. Text that is far
 * too long for an address is cut off first, because normalizing can take time quadratic in the length.
 */
export function emailKey(email: string): string {
  const text = email
    .slice(0, 2 * emailLimit)
    .trim()
    .normalize('NFKC')
    .toLowerCase();
  const at = text.lastIndexOf('@');
  return at < 0 ? text : `${text.slice(0, at)}@${domainOf(text.slice(at + 1)) ?? text.slice(at + 1)}`;
}

/** A domain as DNS knows it: all spellings of an international domain mean the same mail server. */
function domainOf(text: string): string | undefined {
  if (!/^[^/?#:\s]+$/.test(text)) return undefined;
  return URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '') || undefined;
}

/**
 * What counts attempts for a mailbox: every alias of it (`ada+news@example.com`) has the same. Aliases are separate accounts.
 */
export function mailboxKey(email: string): string {
  return emailKey(email).replace(/\+[^@]*(?=@)/, '');
}
