// Reads a file for `latchkey apply`. Every problem in it is reported at once; comparing it with what there is comes later.

import type { ImageReader } from '../../protocol/reading/logo.ts';
import { isJsonObject, readJson, unknownKeys, withoutByteOrderMark } from '../../protocol/reading/strict-json.ts';
import type { SettingsInput } from '../../protocol/resources/settings.ts';
import { readSection, type SecretReader } from '../admin/applied-resource.ts';
import { attributeSyntax, type DescribedAttribute } from '../attributes/apply-attributes.ts';
import { clientSyntax, type DescribedClient } from '../clients/apply-clients.ts';
import { type DescribedGroup, readGroups } from '../groups/groups.ts';
import { readDescribedSettings } from '../settings/change-settings.ts';
import { type DescribedUpstream, upstreamSyntax } from '../upstreams/apply-upstreams.ts';
import { type DescribedWebhook, webhookSyntax } from '../webhooks/apply-webhooks.ts';

export const sectionNames = ['applications', 'attributes', 'groups', 'settings', 'upstreams', 'webhooks'] as const;
export type SectionName = (typeof sectionNames)[number];

/** Undefined clients, attributes, groups, upstreams or webhooks: the file says nothing about them, which is not the same as that there are none. */
export interface Description {
  readonly clients: readonly DescribedClient[] | undefined;
  readonly attributes?: readonly DescribedAttribute[];
  readonly groups?: readonly DescribedGroup[];
  readonly settings: SettingsInput;
  readonly upstreams?: readonly DescribedUpstream[];
  readonly webhooks?: readonly DescribedWebhook[];
}

export type ApplyFile = ({ kind: 'read' } & Description) | { kind: 'invalid'; problems: readonly string[] };

export function readApplyFile(text: string, imageAt: ImageReader, secretAt: SecretReader): ApplyFile {
  const json = readJson(withoutByteOrderMark(text));
  if (json.kind === 'invalid') return { kind: 'invalid', problems: [`it is not valid JSON: ${json.problem}`] };
  const file = json.value;
  if (!isJsonObject(file)) {
    return { kind: 'invalid', problems: ['it must be an object with the key "applications"'] };
  }
  const problems = unknownKeys(file, sectionNames);
  const groups = readGroups(file.groups, problems);
  const settings = readDescribedSettings(file.settings, { imageAt, secretAt }, problems);
  const clients = readSection(clientSyntax, file.applications, { imageAt, secretAt }, problems);
  const attributes = readSection(attributeSyntax, file.attributes, { imageAt, secretAt }, problems);
  const upstreams = readSection(upstreamSyntax, file.upstreams, { imageAt, secretAt }, problems);
  const webhooks = readSection(webhookSyntax, file.webhooks, { imageAt, secretAt }, problems);
  if (sectionNames.every((name) => file[name] === undefined)) {
    problems.push('"applications" must be a list of applications');
  }
  if (problems.length > 0) return { kind: 'invalid', problems };
  return {
    kind: 'read',
    clients,
    ...(attributes && { attributes }),
    ...(groups && { groups }),
    settings,
    ...(upstreams && { upstreams }),
    ...(webhooks && { webhooks }),
  };
}
