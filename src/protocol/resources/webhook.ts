// The fields of a webhook endpoint.

import { cleanName } from '../account/names.ts';
import { hasPlainHost } from '../oauth/redirect-uri.ts';
import { escapeMisleading, isPlainText } from '../reading/control-characters.ts';
import { includes } from '../reading/includes.ts';
import { clientTypes, isOfService, selectableTypes } from '../webhooks/types.ts';
import { list, shown, text, time, type Whole } from './field.ts';
import type { GivenOf, ValuesOf } from './resource.ts';

export const longestWebhookUrl = 1000;
const longestDescription = 200;

export const webhookFields = {
  id: shown<string>({ kind: 'text', description: 'The ID of the endpoint.' }),
  url: text({
    description: 'Where messages are sent.',
    longest: longestWebhookUrl,
    // Messages would go elsewhere.
    needsProof: true,
    option: { value: 'URL' },
    subject: 'the URL',
    problem: webhookUrlProblem,
  }),
  description: text({
    description: 'A note for administrators.',
    initial: '',
    longest: longestDescription,
    clean: cleanName,
    subject: 'the description',
    problem: (given) => {
      if (!isPlainText(given)) return "can't contain control characters";
      return given.length > longestDescription ? `can have at most ${longestDescription} characters` : undefined;
    },
  }),
  client_id: text({
    description:
      "Limits the endpoint to this application's grants. null for all applications, and once the application is deleted.",
    settable: 'create',
    nullable: true,
    absentInFile: 'initial',
    // The console has a page for the endpoint of each application.
    formName: false,
    option: {
      name: 'application',
      value: '<client_id>',
      completes: 'client',
      label: 'application',
      about: "limit the endpoint to this application's grants",
    },
  }),
  client_deleted_at: time({
    nullable: true,
    description:
      'When its application was deleted. The endpoint gets the messages that are still waiting, nothing new, and is then deleted.',
  }),
  types: list<string>({
    description: 'Event types to deliver. null means all, including types added later.',
    nullable: true,
    least: 1,
    values: selectableTypes,
    growing: true,
    unordered: true,
    comparedWhole: true,
    dependsOn: ['clientId'],
    // The console offers all of them first.
    formName: false,
    option: {
      name: 'type',
      value: 'TYPE',
      about: 'an event type to deliver; default: all',
      change: 'an event type to deliver',
      clear: 'deliver all types, including types added later',
      clearName: 'all-types',
    },
    problems: typeProblems,
  }),
  disabled_at: time({ nullable: true }),
  disabled_reason: shown<'administrator' | 'gone' | null>({
    kind: 'choice',
    values: ['administrator', 'gone'],
    nullable: true,
    description: 'gone: the endpoint answered 410.',
  }),
  dropped: count('Messages dropped because too many were waiting.'),
  failures: count('Failed attempts since the last success.'),
  failing_since: time({ nullable: true }),
  delivered_at: time({ nullable: true, description: 'When the endpoint last accepted a message.' }),
  created_at: time(),
  updated_at: time(),
};

export type WebhookValues = ValuesOf<typeof webhookFields>;
/** What an administrator can say about an endpoint. */
export type WebhookInput = GivenOf<typeof webhookFields>;

function count(description: string) {
  return shown<number>({ kind: 'number', least: 0, description });
}

/** After "the URL". Which networks it can be in is a setting of the operator, which the operation knows. */
export function webhookUrlProblem(given: string): string | undefined {
  const url = given.length > longestWebhookUrl ? null : URL.parse(given);
  if (url === null) return `must be an absolute URL of at most ${longestWebhookUrl} characters`;
  // Browsers and Node skip some of them, and lists and terminals would show another URL than the one that is called.
  if (/\s/.test(given) || escapeMisleading(given) !== given) return "can't contain spaces or control characters";
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:';
  if (!hasPlainHost(url)) return 'must have a plain host behind its //';
  if (url.username !== '' || url.password !== '') return "can't contain a user name or password";
  return url.hash === '' ? undefined : "can't contain a fragment (#…)";
}

function typeProblems(given: readonly string[], whole: Whole): string[] {
  const known = isOfService(whole) ? selectableTypes : clientTypes;
  const unknown = given.find((type) => !includes(known, type))?.slice(0, 40);
  if (given.length === 0) return ['at least one event type is needed'];
  if (unknown === undefined) return [];
  if (isOfService(whole)) return [`there is no event type "${unknown}"`];
  return [`an application's endpoint can't have the event type "${unknown}"; it can have ${known.join(', ')}`];
}
