// E-mail addresses as names of accounts.

const form = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/u;

/** Plausible enough to send mail to. Whether it exists is found out by sending some. */
export function isEmail(value: string): boolean {
  return value.length <= 254 && form.test(value) && value.isWellFormed();
}

/** What two spellings of one address share: accounts are unique by it, and attempts are counted by it. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase();
}
