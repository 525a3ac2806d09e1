// A claim of an application in one line, as the command line takes it: CLAIM=SOURCE.

import { type ClaimJson, claimSourceNames, type MappedGroup, type SourceJson } from './claim-json.ts';

export type ClaimLineReading =
  | { readonly kind: 'read'; readonly claim: ClaimJson }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Names with , ; = or : in them don't fit into a line. What the names mean is checked with the JSON. */
export function readClaimLine(line: string): ClaimLineReading {
  const at = line.indexOf('=');
  const invalid = (problem: string): ClaimLineReading => ({ kind: 'invalid', problem });
  if (at < 1) return invalid(`${JSON.stringify(line)} must be CLAIM=SOURCE`);
  const claim = line.slice(0, at);
  const source = readSource(line.slice(at + 1));
  if (typeof source === 'string') return invalid(`the source of ${JSON.stringify(claim)} ${source}`);
  return { kind: 'read', claim: { claim, ...source, label: null, id_token: false } };
}

/** What is wrong is a text. */
function readSource(text: string): SourceJson | string {
  const [, name = '', , rest] = /^([a-z-]*)(:(.*))?$/s.exec(text) ?? [];
  const source = claimSourceNames.find((each) => each === name);
  if (source === undefined) return `must be one of: ${claimSourceNames.join(', ')}`;
  if (source === 'groups' && rest === undefined) return { source, groups: null };
  if (rest === undefined || rest === '') return `must say which: ${source}:…`;
  switch (source) {
    case 'groups':
      return { source, groups: rest.split(',').map((each) => each.trim()) };
    case 'attribute':
      return { source, attribute: rest, self_asserted: false };
    case 'value':
      return { source, value: rest };
    case 'has-group':
      return { source, group: rest };
    case 'if-group':
    case 'map-groups': {
      const pairs = readPairs(rest);
      if (pairs === undefined) return `must be ${source}:GROUP=VALUE;GROUP=VALUE`;
      if (source === 'map-groups') return { source, map: pairs };
      const others = pairs.filter(({ group }) => group === 'else');
      if (others.length > 1) return 'has else more than once';
      return { source, map: pairs.filter(({ group }) => group !== 'else'), else: others[0]?.value ?? null };
    }
  }
}

function readPairs(text: string): MappedGroup[] | undefined {
  const pairs = text.split(';').map((pair) => {
    const [group = '', ...value] = pair.split('=');
    return { group: group.trim(), value: value.join('=').trim() };
  });
  return pairs.every(({ group, value }) => group !== '' && value !== '') ? pairs : undefined;
}

/** For people to read. Two claims that differ have different lines. */
export function claimLine(claim: ClaimJson): string {
  const remarks = [
    ...(claim.label === null ? [] : [`shown as ${JSON.stringify(claim.label)}`]),
    ...(claim.id_token ? ['in the ID token'] : []),
    ...('self_asserted' in claim && claim.self_asserted ? ['self-asserted'] : []),
  ];
  return `${claim.claim}=${sourceLine(claim)}${remarks.length === 0 ? '' : ` (${remarks.join(', ')})`}`;
}

export function sourceLine(claim: SourceJson): string {
  const pairs = (map: readonly MappedGroup[]) =>
    map.map(({ group, value }) => `${group === 'else' ? '"else"' : plain(group)}=${plain(value)}`);
  switch (claim.source) {
    case 'groups':
      return claim.groups === null ? claim.source : `${claim.source}:${claim.groups.map(plain).join(',')}`;
    case 'attribute':
      return `${claim.source}:${claim.attribute}`;
    case 'value':
      return `${claim.source}:${plain(claim.value)}`;
    case 'has-group':
      return `${claim.source}:${plain(claim.group)}`;
    case 'if-group': {
      const others = claim.else === null ? [] : [`else=${plain(claim.else)}`];
      return `${claim.source}:${[...pairs(claim.map), ...others].join(';')}`;
    }
    case 'map-groups':
      return `${claim.source}:${pairs(claim.map).join(';')}`;
  }
}

/** In quotes where it could be taken for more than a name. */
function plain(text: string): string {
  return /[,;=:"()\\]|^\s|\s$/.test(text) ? JSON.stringify(text) : text;
}
