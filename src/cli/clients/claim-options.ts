// The options for the claims of an application: each in a line, or all of them as JSON from a file.

import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { type ClaimJson, claimsJson, readClaims } from '../../protocol/oauth/claim-json.ts';
import { readClaimLine } from '../../protocol/oauth/claim-lines.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { readJson, withoutByteOrderMark } from '../../protocol/reading/strict-json.ts';
import type { Client } from '../../storage/storage.ts';
import { CommandFailed, UsageError } from '../command.ts';
import type { Section } from '../frame/spec.ts';

const options = {
  claim: {
    value: 'CLAIM=SOURCE',
    many: true,
    about: 'a claim about people, which it receives from userinfo with the scope profile',
  },
  'claim-in-id-token': { value: 'CLAIM', many: true, about: 'a claim that is in the ID token as well' },
  'claim-label': { value: 'CLAIM=TEXT', many: true, about: "what people see instead of a claim's name" },
  'claim-self-asserted': { value: 'CLAIM', many: true, about: 'a claim from an attribute that people can edit' },
  claims: { value: 'FILE', completes: 'file', about: 'all claims as JSON; - reads standard input' },
} as const;

export const claimOptions = {
  create: options,
  change: { ...options, claim: { ...options.claim, about: `${options.claim.about}; replaces all; "" removes all` } },
} as const;

export const claimSources: Section = {
  heading: 'Sources of claims',
  entries: [
    ['groups', 'the names of all groups of the person (names with , ; = or : in them need --claims)'],
    ['groups:Staff,Admins', 'of these groups only'],
    ['attribute:department', 'the value of an attribute'],
    ['value:gold', 'the same text for everyone'],
    ['has-group:Admins', 'true or false'],
    ['if-group:Admins=admin;else=viewer', 'the first that matches'],
    ['map-groups:Admins=admin;Staff=editor', 'every match, as a list'],
  ],
};

interface ClaimValues {
  readonly claim?: readonly string[] | undefined;
  readonly 'claim-in-id-token'?: readonly string[] | undefined;
  readonly 'claim-label'?: readonly string[] | undefined;
  readonly 'claim-self-asserted'?: readonly string[] | undefined;
  readonly claims?: string | undefined;
}

/** The claims that the options ask for, given those that there are; undefined if they say nothing about claims. */
export async function claimsIn(
  values: ClaimValues,
): Promise<((current: Pick<Client, 'claims'>) => readonly ClaimJson[]) | undefined> {
  const { claim: lines, claims: file } = values;
  const {
    'claim-in-id-token': inIdToken = [],
    'claim-label': labels = [],
    'claim-self-asserted': asserted = [],
  } = values;
  const changes = [...inIdToken, ...labels, ...asserted];
  if (file !== undefined) {
    if (lines !== undefined || changes.length > 0) throw new UsageError("--claims can't be combined with other claims");
    const claims = await readClaimsFile(file);
    return () => claims;
  }
  const given = lines && readLines(lines);
  if (given === undefined && changes.length === 0) return undefined;
  return (current) => {
    const claims = new Map((given ?? claimsJson(current.claims)).map((claim) => [claim.claim, claim]));
    const change = (option: string, name: string, changed: (claim: ClaimJson) => ClaimJson) => {
      const claim = claims.get(name);
      if (claim === undefined) throw new UsageError(`--${option}: there is no claim ${JSON.stringify(name)}`);
      claims.set(name, changed(claim));
    };
    for (const name of inIdToken) change('claim-in-id-token', name, (claim) => ({ ...claim, id_token: true }));
    for (const each of labels) {
      const at = each.indexOf('=');
      if (at < 1) throw new UsageError('--claim-label must be CLAIM=TEXT');
      const label = each.slice(at + 1);
      change('claim-label', each.slice(0, at), (claim) => ({ ...claim, label: label === '' ? null : label }));
    }
    for (const name of asserted) {
      change('claim-self-asserted', name, (claim) => {
        if (claim.source !== 'attribute') throw new UsageError(`the claim ${name} isn't from an attribute`);
        return { ...claim, self_asserted: true };
      });
    }
    return [...claims.values()];
  };
}

function readLines(lines: readonly string[]): ClaimJson[] {
  if (lines.length === 1 && lines[0] === '') return [];
  const claims = lines.map((line) => {
    const reading = readClaimLine(line);
    if (reading.kind === 'invalid') throw new UsageError(`--claim: ${reading.problem}`);
    return reading.claim;
  });
  const names = claims.map(({ claim }) => claim);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`--claim: ${JSON.stringify(twice)} appears twice`);
  return claims;
}

/** Larger than any set of claims. */
const fileLimit = 256 * 1024;

async function readClaimsFile(file: string): Promise<readonly ClaimJson[]> {
  const name = file === '-' ? 'standard input' : file;
  const fail = (problem: string) => new CommandFailed(`can't read the claims in ${name}: ${problem}.`);
  let text: string;
  try {
    const bytes = file === '-' ? await buffer(process.stdin) : readFileSync(file);
    if (bytes.length > fileLimit) throw new Error('it is larger than 256 KB');
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw fail(messageOf(error));
  }
  const json = readJson(withoutByteOrderMark(text));
  if (json.kind === 'invalid') throw fail(`it isn't valid JSON: ${json.problem}`);
  const reading = readClaims(json.value);
  if (reading.kind === 'invalid') throw fail(reading.problems.join('; '));
  return reading.claims;
}
