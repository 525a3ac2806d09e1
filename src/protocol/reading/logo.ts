// The image of an application, an identity provider or the brand, and how files for `latchkey apply` name one.

import { digestOf } from '../digest.ts';
import { type ImageType, logoLimit, notAnImage, readPicture, recogniseImage } from './image.ts';

export interface Logo {
  /** A digest of the bytes: equal versions are equal images. */
  readonly version: string;
  readonly contentType: ImageType;
  readonly bytes: Uint8Array;
}

/** The bytes of the image file at a path, or why it can't be read. */
export type ImageReader = (path: string) => Uint8Array | string;

/** Puts an image where the file can name it, and returns what it's called there. The name has no ending. */
export type ImageWriter = (name: string, image: Logo) => string;

/** The logo without metadata, such as where a photo was taken, and without what follows it; or what is wrong with it, after "the logo". */
export function readLogo(given: Uint8Array): Logo | string {
  const picture = readPicture(given);
  if (picture.kind === 'picture') {
    const { contentType, bytes } = picture;
    return { version: digestOf(Buffer.from(bytes).toString('base64')).slice(0, 16), contentType, bytes };
  }
  switch (picture.problem) {
    case 'too_large':
      return `is larger than ${logoLimit / 1024} KB`;
    case 'too_many_pixels':
      return 'has too many pixels';
    case 'not_a_picture':
      return recogniseImage(given) === undefined ? notAnImage(given) : 'is damaged';
  }
}
