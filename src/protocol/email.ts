// E-mail addresses as names of accounts.

const form = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/u;

export const emailLimit = 254;

/** Plausible enough to send mail to. Whether it exists is found out by sending some. */
export function isEmail(value: string): boolean {
  return value.length <= emailLimit && form.test(value) && value.isWellFormed();
}

/**
 * What two spellings of one address share: accounts are unique by it, and attempts are counted by it. Only a beginning of
 * what is far too long for an address is looked at: normalising can take time in the square of the length.
 */
export function emailKey(email: string): string {
  return email
    .slice(0, 2 * emailLimit)
    .trim()
    .normalize('NFKC')
    .toLowerCase();
}

/** What the aliases of one mailbox share (`ada+news@example.com`): counted together, but accounts of their own. */
export function mailboxKey(email: string): string {
  return emailKey(email).replace(/\+[^@]*(?=@)/, '');
}
