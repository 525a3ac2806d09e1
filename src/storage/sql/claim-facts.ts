// What the claims of a grant are made from, as one more column of the row that a request reads anyway. It's null for a grant without
// claims, and costs nothing then.

import type { AttributeValues } from '../../protocol/account/attribute-values.ts';
import { agreedClaims, type GrantClaims, parseClaims } from '../../protocol/oauth/application-claims.ts';
import type { Engine } from '../driver.ts';
import { isInForce, lasting } from '../groups/access-conditions.ts';
import { computed } from './query.ts';

/**
 * Lines: the client's claims, the keys of those that the user agreed to, the user's attributes, and then each of the user's groups,
 * its ID and its name, in any order. None has a line break of its own: names have no control characters, and JSON quotes them. On a
 * server it's a function, for the same reason as in access-conditions.ts, and has to say the same.
 */
const facts: Readonly<Record<Engine, (at: string) => string>> = {
  embedded: (at) => `concat_ws('\n', c.claims, g.claims, u.attributes, (
      SELECT group_concat(concat(gr.id, ' ', gr.name), '\n')
      FROM group_members gm CROSS JOIN groups gr INDEXED BY groups_lasting
      WHERE gm.user_id = u.id AND gr.id = gm.group_id AND gm.ended_by = ${lasting} AND ${isInForce('gm', at)}
        AND gr.ended_by = ${lasting}))`,
  server: (at) => `claim_facts(u.id, c.claims, g.claims, u.attributes, ${at})`,
};

interface ClaimFactsRow {
  readonly claim_facts: string | null;
}

/** For userinfo, of the client `c`, the grant `g` and the user `u`, at a time that is given as an expression. */
export function claimFacts(engine: Engine, at: string) {
  return computed<ClaimFactsRow>(`CASE WHEN g.claims IS NOT NULL THEN ${facts[engine](at)} END AS claim_facts`);
}

/** For the ID token: null unless one of the client's claims is in it, and while the user isn't active. */
export function idTokenClaimFacts(engine: Engine, at: string) {
  const place = engine === 'server' ? 'strpos' : 'instr';
  return computed<ClaimFactsRow>(
    `CASE WHEN g.claims IS NOT NULL AND u.id IS NOT NULL AND g.client_id = c.id AND ${place}(c.claims, '"idToken":true') > 0
      THEN ${facts[engine](at)} END AS claim_facts`,
  );
}

/** Undefined for a grant without claims. */
export function toGrantClaims({ claim_facts: text }: ClaimFactsRow): GrantClaims | undefined {
  if (text === null) return undefined;
  const lines = text.split('\n');
  const [claims = '', agreed = '', attributes = ''] = lines;
  const groups: NamedGroup[] = [];
  for (let line = 3; line < lines.length; line++) groups.push(toGroup(lines[line] ?? ''));
  if (groups.length > 1) groups.sort(byName);
  const values: AttributeValues = attributes === '{}' ? noAttributes : JSON.parse(attributes);
  return { claims: agreedClaims(parseClaims(claims), agreed), facts: { groups, attributes: values } };
}

const noAttributes: AttributeValues = {};

function toGroup(line: string): NamedGroup {
  const space = line.indexOf(' ');
  return { id: line.slice(0, space), name: line.slice(space + 1) };
}

interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

/** In the order of code points. It's sorted here because that takes a database server longer than everything else about it. */
function byName({ name: a }: NamedGroup, { name: b }: NamedGroup): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = rankOf(a.charCodeAt(index)) - rankOf(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Halves of characters come after all whole ones. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
