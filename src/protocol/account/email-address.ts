// E-mail addresses as names of accounts.

const form = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/u;

export const emailLimit = 254;

/** Characters that are not seen: two addresses that look the same must not be two. */
const unseen = /[\p{Cf}\p{DI}\p{Co}\p{Cn}]/u;

/** Plausible enough to send mail to. Whether it exists is found out by sending some. */
export function isEmail(value: string): boolean {
  if (value.length > emailLimit || !value.isWellFormed() || !form.test(value) || unseen.test(value)) return false;
  return domainOf(value.slice(value.lastIndexOf('@') + 1)) !== undefined;
}

/**
 * What two spellings of one address share: accounts are unique by it, and attempts are counted by it. Only a beginning of
 * what is far too long for an address is looked at: normalising can take time in the square of the length.
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

/** A domain as the name system knows it: mail servers take all its spellings for one. */
function domainOf(text: string): string | undefined {
  if (!/^[^/?#:\s]+$/.test(text)) return undefined;
  return URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '') || undefined;
}

/** What the aliases of one mailbox share (`ada+news@example.com`): counted together, but accounts of their own. */
export function mailboxKey(email: string): string {
  return emailKey(email).replace(/\+[^@]*(?=@)/, '');
}
