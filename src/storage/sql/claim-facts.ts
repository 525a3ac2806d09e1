// What the claims of a grant are made from, as one more column of the row that a request reads anyway. It's null for a grant without
// claims, and costs nothing then.

import { agreedClaims, type GrantClaims, parseClaims } from '../../protocol/oauth/application-claims.ts';
import type { Engine } from '../driver.ts';
import { lasting } from '../groups/access-conditions.ts';
import { computed } from './query.ts';

/**
 * Four lines: the client's claims, the keys of those that the user agreed to, the user's attributes, and the user's groups in the
 * order of code points. None but the last has a line break, because all are JSON of this service. On a server it's a function, for
 * the same reason as in access-conditions.ts, and has to say the same.
 */
const facts: Readonly<Record<Engine, string>> = {
  embedded: `c.claims || char(10) || g.claims || char(10) || u.attributes || char(10) || (
      SELECT json_group_array(json_object('id', gr.id, 'name', gr.name) ORDER BY gr.name)
      FROM group_members gm CROSS JOIN groups gr
      WHERE gm.user_id = u.id AND gr.id = gm.group_id AND gm.ended_by = ${lasting} AND gr.ended_by = ${lasting})`,
  server: 'claim_facts(u.id, c.claims, g.claims, u.attributes)',
};

interface ClaimFactsRow {
  readonly claim_facts: string | null;
}

/** For userinfo, of the client `c`, the grant `g` and the user `u`. */
export function claimFacts(engine: Engine) {
  return computed<ClaimFactsRow>(`CASE WHEN g.claims IS NOT NULL THEN ${facts[engine]} END AS claim_facts`);
}

/** For the ID token: null unless one of the client's claims is in it. */
export function idTokenClaimFacts(engine: Engine) {
  const place = engine === 'server' ? 'strpos' : 'instr';
  return computed<ClaimFactsRow>(
    `CASE WHEN g.claims IS NOT NULL AND g.client_id = c.id AND ${place}(c.claims, '"idToken":true') > 0
      THEN ${facts[engine]} END AS claim_facts`,
  );
}

/** Undefined for a grant without claims. */
export function toGrantClaims({ claim_facts: text }: ClaimFactsRow): GrantClaims | undefined {
  if (text === null) return undefined;
  const [afterClaims, afterKeys, afterAttributes] = lineBreaksIn(text);
  const claims = agreedClaims(parseClaims(text.slice(0, afterClaims)), text.slice(afterClaims + 1, afterKeys));
  const attributes = text.slice(afterKeys + 1, afterAttributes);
  return {
    claims,
    facts: { groups: JSON.parse(text.slice(afterAttributes + 1)), attributes: JSON.parse(attributes) },
  };
}

function lineBreaksIn(text: string): [number, number, number] {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  return [first, second, text.indexOf('\n', second + 1)];
}
