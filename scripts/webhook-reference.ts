// node scripts/webhook-reference.ts: brings the generated parts of docs/webhooks.md up to date. A test says when it's
// needed.

import { readFileSync, writeFileSync } from 'node:fs';
import { exampleMessage, membersOf } from '../src/http/api/webhooks/message-operations.ts';
import { memberMeanings } from '../src/protocol/webhooks/members.ts';
import { type WebhookType, webhookTypeMeanings, webhookTypes } from '../src/protocol/webhooks/types.ts';
import { withGeneratedParts } from './generated-parts.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

/** The heading before the first type of a subject. */
const headings: Readonly<Record<string, string>> = {
  'sign_in.succeeded': 'Sign-ins and refusals',
  'user.created': 'People',
  'client.created': 'Applications',
  'consent.given': 'Consents and grants',
  'client_secret.rotated': 'Secrets and keys',
  'settings.changed': 'Policy',
  'webhook.created': 'Webhooks',
  'upstream.created': 'Identity providers',
};

function typesReference(): string {
  const sections = webhookTypes.map((type) => (type in headings ? `### ${headings[type]}\n\n` : '') + section(type));
  return sections.join('\n');
}

function section(type: WebhookType): string {
  const members = membersOf(type).map(([name, schema]) => `\`${name}\` ${typeOf(schema)}`);
  return `#### ${type}

${webhookTypeMeanings[type]} Data: ${members.join('; ')}.

\`\`\`json
${spaced(exampleMessage(type)).replace(', "data": ', ',\n "data": ')}
\`\`\`
`;
}

function membersReference(): string {
  const rows = Object.entries(memberMeanings).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return ['| member | meaning |', '|---|---|', ...rows].join('\n');
}

function typeOf({ type, enum: values, anyOf, items }: Schema): string {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(' or ');
  return items === undefined ? (type ?? '') : `list of ${typeOf(items)}s`;
}

/** JSON on one line, with a space after each colon and comma. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return `{${members.join(', ')}}`;
}

export function withWebhookReference(text: string): string {
  return withGeneratedParts(text, { members: membersReference(), types: typesReference() });
}

if (import.meta.main) {
  const file = new URL('../docs/webhooks.md', import.meta.url);
  writeFileSync(file, withWebhookReference(readFileSync(file, 'utf8')));
}
