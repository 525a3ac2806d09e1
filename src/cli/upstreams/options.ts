// The options of `latchkey upstream create` and `update`.

import { asymmetricAlgorithms, symmetricAlgorithm } from '../../protocol/upstreams/metadata.ts';
import { UsageError } from '../command.ts';
import type { Given } from '../frame/spec.ts';
import { secretOptions } from './secret-input.ts';

export const upstreamArgument = { name: { label: '<name>', completes: 'upstream' } } as const;

const domain = { value: 'DOMAIN', many: true } as const;
const value = { value: 'VALUE', many: true } as const;

export const sharedOptions = {
  label: { value: 'TEXT', about: 'what the button calls the provider; default: the name' },
  ...secretOptions,
  'trusted-domain': {
    ...domain,
    about: "a domain for which the provider's word counts that an email address is verified; * for all of them",
  },
  'allowed-domain': {
    ...domain,
    about: 'let in only people with a verified email address in such a domain, which has to be trusted, too',
  },
  scope: { value: 'SCOPES', about: 'what to ask the provider for; default: "openid email profile"' },
  'trusted-amr': { ...value, about: 'a value of amr that means that the provider has checked two factors' },
  'trusted-acr': { ...value, about: 'a value of acr that means the same' },
  icon: { value: 'FILE', completes: 'file', about: 'a PNG, JPEG or WebP image of at most 512 KiB, for the button' },
} as const;

export const createFlags = {
  'create-accounts': { about: "give people who aren't known yet an account" },
  'route-domains': { about: 'send people with an email address in a trusted domain straight there' },
  algorithm: {
    values: [...asymmetricAlgorithms, symmetricAlgorithm],
    about: 'the only signature algorithm to accept; default: those with published keys that the provider announces',
  },
} as const;

export const updateFlags = {
  'create-accounts': { values: ['yes', 'no'], about: "whether people who aren't known yet get an account" },
  'route-domains': {
    values: ['yes', 'no'],
    about: 'whether people with an email address in a trusted domain are sent straight there',
  },
  algorithm: {
    values: [...asymmetricAlgorithms, symmetricAlgorithm, 'announced'],
    about: 'the only signature algorithm to accept, or those with published keys that the provider announces',
  },
} as const;

type Shared = Given<typeof sharedOptions, Record<never, never>>['values'];

/** What both commands read in the same way. */
export function sharedSettings(values: Shared) {
  return {
    label: values.label,
    trustedDomains: values['trusted-domain'],
    allowedDomains: values['allowed-domain'],
    scopes: values.scope?.split(/\s+/).filter(Boolean),
    trustedAmr: values['trusted-amr'],
    trustedAcr: values['trusted-acr'],
  };
}

export function yesOrNo(option: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'yes' && text !== 'no') throw new UsageError(`--${option} must be yes or no`);
  return text === 'yes';
}
