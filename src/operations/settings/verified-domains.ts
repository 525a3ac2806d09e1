// Domains of email addresses that directories can use, one by one: as a subject, beside the setting that has all of them.

import type { Requester } from '../../protocol/event.ts';
import { text } from '../../protocol/resources/field.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import { readDomain } from '../../protocol/upstreams/claims.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { defineAction, defineSubject } from '../admin/subject.ts';
import type { Recording, Services } from '../services.ts';
import { changeSettings } from './change-settings.ts';

type Changing = Recording & Pick<Services, 'settings'>;

const fields = {
  name: text({
    description: 'Such as example.com.',
    longest: 253,
    pattern: /^[a-z0-9.-]{1,253}$/,
    clean: (given) => readDomain(given) ?? given,
    problem: (name) => (readDomain(name) === undefined ? 'must be a domain such as example.com' : undefined),
    subject: 'the name',
  }),
};

export interface VerifiedDomain {
  readonly id: string;
  readonly name: string;
}

async function list({ settings }: Pick<Services, 'settings'>): Promise<VerifiedDomain[]> {
  return (await settings.readFresh()).scim_verified_domains.map((name) => ({ id: name, name }));
}

async function add(services: Changing, { name: given = '' }: { name?: string }, requester: Requester) {
  const before = (await list(services)).map(({ name }) => name);
  const name = readDomain(given) ?? given;
  if (before.includes(name)) return refused(`${name} is verified already`, 'conflict');
  return changeTo(services, name, [...before, name], requester);
}

async function remove(services: Changing, name: string, requester: Requester): Outcome<VerifiedDomain> {
  const before = (await list(services)).map((each) => each.name);
  if (!before.includes(name)) return refused(`there is no verified domain "${name}"`, 'not_found');
  const rest = before.filter((each) => each !== name);
  return changeTo(services, name, rest, requester);
}

async function changeTo(services: Changing, name: string, names: readonly string[], requester: Requester) {
  const changed = await changeSettings(services, { scim_verified_domains: names }, requester);
  return changed.kind === 'refused' ? changed : ({ kind: 'done', id: name, name } as const);
}

export const verifiedDomains = defineSubject({
  one: 'verified domain',
  many: 'verified domains',
  area: 'settings',
  api: '/api/verified-domains',
  console: '/admin/verified-domains',
  command: 'verified-domain',
  async completes(storage) {
    const stored = (await storage.listSettings()).find(({ name }) => name === 'scim_verified_domains');
    return (JSON.parse(stored?.value ?? '[]') as string[]).map((name) => [name, '']);
  },
  about: 'Directories can use email addresses of a verified domain, and they count as verified.',
  fields,
  key: { name: 'name', description: 'The domain.', example: 'example.com' },
  shown: (domain) => domain,
  list: { about: '', read: { all: list, asItems: true }, columns: { NAME: 'name' } },
  create: {
    does: 'add a verified domain',
    proof: true,
    fields,
    argument: { name: 'name', about: 'such as example.com' },
    run: add,
    says: ({ name }) => `Added the verified domain ${name}.`,
    examples: ['latchkey verified-domain create example.com'],
  },
  actions: {
    delete: defineAction({
      does: 'delete a verified domain; people that a directory has made stay',
      done: 'deleted',
      deletes: true,
      proof: true,
      run: remove,
      json: (domain) => jsonOf(fields, domain),
      says: ({ name }) => `Deleted the verified domain ${name}.`,
    }),
  },
});
