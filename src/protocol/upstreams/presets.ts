// What is known about identity providers that many use, so that adding one asks for the rest alone.

import type { UpstreamKind } from '../resources/upstream.ts';
import { githubIssuer, type SigningAlgorithm, symmetricAlgorithm } from './metadata.ts';

export interface UpstreamPreset {
  /** Of the new one, if no other has it. */
  readonly name: string;
  readonly label: string;
  readonly kind: UpstreamKind;
  /** With a part to replace, where everyone has their own. */
  readonly issuer: string;
  readonly placeholder?: string;
  readonly algorithm?: SigningAlgorithm;
}

export const upstreamPresets = {
  google: { name: 'google', label: 'Google', kind: 'oidc', issuer: 'https://accounts.google.com' },
  microsoft: {
    name: 'microsoft',
    label: 'Microsoft',
    kind: 'oidc',
    issuer: 'https://login.microsoftonline.com/TENANT_ID/v2.0',
    placeholder: 'TENANT_ID',
  },
  github: { name: 'github', label: 'GitHub', kind: 'github', issuer: githubIssuer },
  okta: {
    name: 'okta',
    label: 'Okta',
    kind: 'oidc',
    issuer: 'https://YOUR_ORGANIZATION.okta.com',
    placeholder: 'YOUR_ORGANIZATION',
  },
  keycloak: {
    name: 'keycloak',
    label: 'Keycloak',
    kind: 'oidc',
    issuer: 'https://YOUR_SERVER/realms/YOUR_REALM',
    placeholder: 'YOUR_',
  },
  latchkey: {
    name: 'latchkey',
    label: 'Latchkey',
    kind: 'oidc',
    issuer: 'https://YOUR_SERVER',
    placeholder: 'YOUR_SERVER',
    algorithm: symmetricAlgorithm,
  },
  other: { name: 'sso', label: '', kind: 'oidc', issuer: '' },
} as const satisfies Readonly<Record<string, UpstreamPreset>>;

export type PresetName = keyof typeof upstreamPresets;

export function presetNamed(name: string): (UpstreamPreset & { readonly for: PresetName }) | undefined {
  return Object.hasOwn(upstreamPresets, name)
    ? { for: name as PresetName, ...upstreamPresets[name as PresetName] }
    : undefined;
}

/** The preset's name, with a number if it's taken. */
export function freeName({ name }: Pick<UpstreamPreset, 'name'>, taken: readonly string[]): string {
  for (let number = 2, free: string = name; ; number++) {
    if (!taken.includes(free)) return free;
    free = `${name}-${number}`;
  }
}
