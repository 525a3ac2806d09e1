// A user sets or removes their picture, and anybody who has its URL can fetch it.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { type ImageProblem, readPicture } from '../../protocol/reading/image.ts';
import type { Logo, SignedIn } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** Without bytes, the picture is removed. */
export async function changePicture(
  services: Pick<Services, 'issuer' | 'storage' | 'clock' | 'journal'>,
  { user }: SignedIn,
  bytes: Uint8Array | undefined,
  requester: Requester,
): Promise<'changed' | ImageProblem> {
  const { storage, clock, journal, issuer } = services;
  const event = journal.event({ kind: 'picture_changed', userId: user.id }, requester);
  if (bytes === undefined) {
    await storage.setPicture(user.id, undefined, clock.now(), event);
    return 'changed';
  }
  const picture = readPicture(bytes);
  if (picture.kind === 'invalid') return picture.problem;
  // The version is part of the URL, so the image behind a URL never changes and may be cached for good.
  const version = digestOf(Buffer.from(picture.bytes).toString('latin1')).slice(0, 16);
  const { contentType } = picture;
  const url = `${issuer}/pictures/${encodeURIComponent(user.id)}/${version}`;
  await storage.setPicture(user.id, { url, version, contentType, bytes: picture.bytes }, clock.now(), event);
  return 'changed';
}

export function findPicture(
  services: Pick<Services, 'storage'>,
  userId: string,
  version: string,
): Promise<Logo | undefined> {
  return services.storage.findPicture(userId, version);
}
