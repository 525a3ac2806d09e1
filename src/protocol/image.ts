// Recognises the image formats that a browser may be handed safely, by content and never by name.

export const logoLimit = 512 * 1024;
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

export function recogniseImage(bytes: Uint8Array): ImageType | undefined {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (latin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (latin.startsWith('RIFF') && latin.slice(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}
