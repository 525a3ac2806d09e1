// The page that asks a signed-in person to confirm who they are, and what they answer.

import assert from 'node:assert/strict';
import { challengeFor, type Holder } from './passkeys.ts';
import { type Form, type Person, readForm } from './person.ts';

/** The form on the page that asks for proof; undefined on any other page. */
export function proofFormOn(page: string): Form | undefined {
  const form = readForm(page);
  return form?.fields.held_request === undefined ? undefined : form;
}

/** Asserts that the response asks for proof, and returns its form. */
export async function proofAsked(response: Response, status = 200): Promise<Form> {
  const page = await response.text();
  assert.equal(response.status, status, page);
  assert.match(page, /<h1>Confirm it&#39;s you<\/h1>/);
  const form = proofFormOn(page);
  assert.ok(form, page);
  return form;
}

/** Gives the proof that the response asks for; the change goes on. */
export async function prove(person: Person, asked: Response, proof: Record<string, string>): Promise<Response> {
  return person.submit(await proofAsked(asked), proof);
}

/** The answer of the holder's passkey, for a form that asks for proof. */
export async function passkeyProof(
  { person, device }: Holder,
  { fields }: Form,
): Promise<{ answer: string; challenge: string }> {
  const challenge = await challengeFor(person, { action: '/account/proof', fields, buttons: [] });
  return { answer: device.get(challenge), challenge: challenge.challenge };
}
