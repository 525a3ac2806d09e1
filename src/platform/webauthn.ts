// Passkeys, as WebAuthn defines them. What a browser sends is judged by a library made for it; it is loaded when the first
// passkey comes along, because it is large.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

export interface PasskeyKey {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface Webauthn {
  /** What a browser needs to make a passkey. */
  creationOptions(
    person: { id: string; email: string; name: string },
    challenge: string,
    known: readonly PasskeyKey[],
  ): Promise<object>;
  /** The new passkey, or undefined when the answer does not hold. */
  readCreated(answer: string, challenge: string): Promise<PasskeyKey | undefined>;
  /** What a browser needs to use a passkey: one of these, or whichever it has. */
  requestOptions(challenge: string, allowed: readonly PasskeyKey[]): Promise<object>;
  /** Which passkey an answer claims to be from; nothing is proved by it. */
  passkeyIdOf(answer: string): string | undefined;
  /** The key's new counter, or undefined when the answer does not hold. */
  readUsed(answer: string, challenge: string, passkey: PasskeyKey): Promise<number | undefined>;
}

export function webauthnFor(baseUrl: string): Webauthn {
  const rpID = new URL(baseUrl).hostname;
  const load = () => import('@simplewebauthn/server');
  const described = (keys: readonly PasskeyKey[]) =>
    keys.map(({ id, transports }) => ({ id, transports: [...transports] }));
  const userVerification = 'required' as const;
  // EdDSA, ES256, RS256: what authenticators have. Named, because the library would try out what Node calls experimental.
  const supportedAlgorithmIDs = [-8, -7, -257];

  return {
    async creationOptions(person, challenge, known) {
      const { generateRegistrationOptions } = await load();
      return generateRegistrationOptions({
        rpName: 'Latchkey',
        rpID,
        userID: Buffer.from(person.id),
        userName: person.email,
        userDisplayName: person.name,
        challenge: Buffer.from(challenge, 'base64url'),
        attestationType: 'none',
        supportedAlgorithmIDs,
        excludeCredentials: described(known),
        authenticatorSelection: { residentKey: 'required', userVerification },
      });
    },

    async readCreated(answer, challenge) {
      const response = readJson<RegistrationResponseJSON>(answer);
      if (response === undefined) return undefined;
      const { verifyRegistrationResponse } = await load();
      const expected = { expectedChallenge: challenge, expectedOrigin: baseUrl, expectedRPID: rpID };
      const result = await verifyRegistrationResponse({ response, ...expected, supportedAlgorithmIDs }).catch(
        () => undefined,
      );
      if (!result?.verified) return undefined;
      const { id, publicKey, counter, transports } = result.registrationInfo.credential;
      const names = (transports ?? []).filter((name) => /^[a-z-]{1,20}$/.test(name)).slice(0, 8);
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports: names };
    },

    async requestOptions(challenge, allowed) {
      const { generateAuthenticationOptions } = await load();
      return generateAuthenticationOptions({
        rpID,
        challenge: Buffer.from(challenge, 'base64url'),
        userVerification,
        ...(allowed.length > 0 && { allowCredentials: described(allowed) }),
      });
    },

    passkeyIdOf(answer) {
      const id = readJson<AuthenticationResponseJSON>(answer)?.id;
      return typeof id === 'string' && /^[A-Za-z0-9_-]{1,1400}$/.test(id) ? id : undefined;
    },

    async readUsed(answer, challenge, passkey) {
      const response = readJson<AuthenticationResponseJSON>(answer);
      if (response === undefined) return undefined;
      const { verifyAuthenticationResponse } = await load();
      const expected = { expectedChallenge: challenge, expectedOrigin: baseUrl, expectedRPID: rpID };
      const { id, counter, publicKey } = passkey;
      const credential = { id, counter, publicKey: Buffer.from(publicKey, 'base64url') };
      const result = await verifyAuthenticationResponse({ response, ...expected, credential }).catch(() => undefined);
      return result?.verified ? result.authenticationInfo.newCounter : undefined;
    },
  };
}

function readJson<Kind>(text: string): Kind | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
