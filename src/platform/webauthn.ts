// Creates and verifies passkeys (WebAuthn). The cryptography and the parsing are left to a library, which is loaded when
// the first passkey is used, because it is large. Which device made a passkey is of no interest, so no certificates are
// accepted: the library would download the revocation list that one names, from wherever its sender wants.

import { createHash } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

export interface PasskeyKey {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface Webauthn {
  /** The options that a browser needs to create a passkey. */
  creationOptions(
    user: { id: string; email: string; name: string },
    challenge: string,
    known: readonly PasskeyKey[],
  ): Promise<object>;
  /** The new passkey, or undefined if the browser's answer doesn't verify. */
  readCreated(answer: string, challenge: string): Promise<PasskeyKey | undefined>;
  /** The options that a browser needs to use a passkey: one of `allowed`, or any that it has if that is empty. */
  requestOptions(challenge: string, allowed: readonly PasskeyKey[]): Promise<object>;
  /** The passkey that an answer claims to be from, not verified. */
  passkeyIdOf(answer: string): string | undefined;
  /** The passkey's new counter, or undefined if the answer doesn't verify. */
  readUsed(answer: string, challenge: string, passkey: PasskeyKey): Promise<number | undefined>;
}

/** `serviceName` is what password managers show next to a passkey. */
export function webauthnFor(baseUrl: string, serviceName: () => string): Webauthn {
  const rpID = new URL(baseUrl).hostname;
  const described = (keys: readonly PasskeyKey[]) =>
    keys.map(({ id, transports }) => ({ id, transports: [...transports] }));
  const userVerification = 'required' as const;
  // EdDSA, ES256 and RS256, which cover all authenticators. The library's default includes some that Node calls experimental.
  const supportedAlgorithmIDs = [-8, -7, -257];

  return {
    async creationOptions(user, challenge, known) {
      const { generateRegistrationOptions } = await load();
      return generateRegistrationOptions({
        rpName: serviceName(),
        rpID,
        userID: handleOf(user.id),
        userName: user.email,
        userDisplayName: user.name,
        challenge: Buffer.from(challenge, 'base64url'),
        attestationType: 'none',
        supportedAlgorithmIDs,
        excludeCredentials: described(known),
        authenticatorSelection: { residentKey: 'required', userVerification },
      });
    },

    async readCreated(answer, challenge) {
      const response = parseObject<RegistrationResponseJSON>(answer);
      if (response === undefined || !(await hasPlainAttestation(response))) return undefined;
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
      const id = parseObject<AuthenticationResponseJSON>(answer)?.id;
      return typeof id === 'string' && /^[A-Za-z0-9_-]{1,1400}$/.test(id) ? id : undefined;
    },

    async readUsed(answer, challenge, passkey) {
      const response = parseObject<AuthenticationResponseJSON>(answer);
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

/** The library, which is never to open a connection: for whatever it asks, its fetch rejects. */
async function load() {
  const library = await import('@simplewebauthn/server');
  // Not part of what the package exports. If an update moves it, loading fails, and so does a test.
  const file = new URL('helpers/fetch.js', import.meta.resolve('@simplewebauthn/server'));
  const { _fetchInternals: internals }: { _fetchInternals: { stubThis: () => Promise<never> } } = await import(
    file.href
  );
  internals.stubThis = () => Promise.reject(new Error('passkeys need no requests'));
  return library;
}

/** Whether nothing vouches for the passkey, or only the passkey itself. Reads it as the library does afterwards. */
async function hasPlainAttestation({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    const format = attestation.get('fmt');
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** At most 64 bytes (WebAuthn, section 5.4.3). Passkeys are replaced by those with the same one, so it must never change. */
function handleOf(userId: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(userId);
  return bytes.length <= 64 ? bytes : createHash('sha256').update(bytes).digest();
}

function parseObject<Kind>(text: string): Kind | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
