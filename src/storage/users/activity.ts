// When someone last used their account, for lists and for disabling accounts that nobody uses.

/** The last activity that counts, written like the index (032): at the earliest when the account came here, or was given back. */
export function activityOf(alias: 'u' | 'users'): string {
  const [active, from] = [`${alias}.last_active_at`, `COALESCE(${alias}.inactive_from, ${alias}.created_at)`];
  return `(CASE WHEN ${active} > ${from} THEN ${active} ELSE ${from} END)`;
}
