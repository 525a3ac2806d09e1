// Invitations that give a role, which end with the inviter's rights.

import type { Actor } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { lockAdministrator } from '../sql/guards.ts';
import { invitesToRole } from '../sql/links.ts';
import { required } from '../sql/query.ts';

/** Those that the inviter has sent. Their details are JSON, in which a text from outside can't contain these. */
export function endRoleInvitations(inviter: Actor): Statement {
  return {
    sql: `DELETE FROM links WHERE ${invitesToRole} AND REPLACE(detail, $1, '') <> detail`,
    params: [`"invitedBy":${JSON.stringify(inviter)}`],
  };
}

/** Rolls back if the inviter can't give roles now. Undefined is the command line, which always can. */
export function inviterStands(inviter: Actor | undefined, now: number): Statement[] {
  if (inviter === undefined) return [];
  if (inviter.kind === 'administrator') return [lockAdministrator(inviter.id, now)];
  const sql = `UPDATE api_keys SET last_used_at = last_used_at WHERE id = $1 AND permission = 'administrator'
    AND (expires_at IS NULL OR expires_at > CAST($2 AS BIGINT)) AND (created_by IS NULL OR EXISTS (SELECT 1 FROM users u
      WHERE u.id = api_keys.created_by AND u.admin_since IS NOT NULL AND u.disabled_at IS NULL
        AND (u.expires_at IS NULL OR u.expires_at > CAST($2 AS BIGINT)))) RETURNING id`;
  return [required(sql, [inviter.id, now])];
}
