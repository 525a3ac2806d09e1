// What has to be there before people are imported with it: attributes, which can be defined from the file, and identity providers.

import type { Requester } from '../../protocol/event.ts';
import type { MappedUpstream } from '../../protocol/import/identities.ts';
import type { ImportedPerson } from '../../protocol/import/person.ts';
import type { Attribute } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { attributeLimit, createAttribute } from '../attributes/attributes.ts';
import type { Recording, Storing } from '../services.ts';

/** The attributes that people have values of and nobody has defined, as far as there's room for them. */
export class NewAttributes {
  readonly #defined: ReadonlySet<string>;
  readonly names = new Set<string>();

  constructor(defined: readonly Attribute[]) {
    this.#defined = new Set(defined.map(({ name }) => name));
  }

  missing({ attributes }: ImportedPerson): string[] {
    return Object.keys(attributes).filter((name) => !this.#defined.has(name));
  }

  /** Takes all that the person needs, or says why that's not possible. */
  take(person: ImportedPerson): string[] {
    const further = this.missing(person).filter((name) => !this.names.has(name));
    if (this.#defined.size + this.names.size + further.length > attributeLimit) {
      return [`needs ${further.length} more attributes, and there can be at most ${attributeLimit}`];
    }
    for (const name of further) this.names.add(name);
    return [];
  }
}

/** As text that only administrators edit. */
export async function defineAttributes(
  services: Recording,
  names: Iterable<string>,
  requester: Requester,
): Outcome<object> {
  for (const name of names) {
    const input = { name, label: name, kind: 'text' };
    const made = await createAttribute(services, input, requester);
    if (made.kind === 'refused' && (await services.storage.findAttribute(name)) === undefined) return made;
  }
  return { kind: 'done' };
}

/** From what the other service calls them to what they're called here. */
export async function findMappedUpstreams(
  { storage }: Storing,
  mapping: Readonly<Record<string, string>>,
): Outcome<{ upstreams: ReadonlyMap<string, MappedUpstream> }> {
  const set = new Map((await storage.listUpstreams()).map(({ name, issuer }) => [name, { name, issuer }]));
  const upstreams = new Map<string, MappedUpstream>();
  for (const [there, here] of Object.entries(mapping)) {
    const upstream = set.get(here);
    if (upstream === undefined) return refused(`there is no identity provider "${here}"`, 'not_found');
    upstreams.set(there, upstream);
  }
  return { kind: 'done', upstreams };
}
