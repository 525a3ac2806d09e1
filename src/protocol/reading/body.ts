// A request body as text: checks the Content-Type and the encoding. What the text means is decided in parameters.ts (forms
// and flat JSON objects) and json-body.ts (JSON objects of the API).

export type InvalidBody = { kind: 'invalid'; description: string };

/** What was read from a body, or a sentence for the client about what is wrong with it. */
export type BodyReading<Content> = ({ kind: 'read' } & Content) | InvalidBody;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readText(
  contentType: string | undefined,
  body: Uint8Array,
  mediaTypes: readonly string[],
): BodyReading<{ mediaType: string; text: string }> {
  let mediaType = contentType ?? '';
  // Most clients send one of them as it is.
  if (!mediaTypes.includes(mediaType)) {
    const [type = '', ...attributes] = mediaType.toLowerCase().split(';');
    if (!acceptsCharset(attributes)) return invalidBody('The body must be encoded in UTF-8.');
    mediaType = type.trim();
    if (!mediaTypes.includes(mediaType)) return invalidBody(`The Content-Type must be ${mediaTypes.join(' or ')}.`);
  }
  try {
    return { kind: 'read', mediaType, text: strictUtf8.decode(body) };
  } catch {
    return invalidBody('The body is not valid UTF-8.');
  }
}

export function invalidBody(description: string): InvalidBody {
  return { kind: 'invalid', description };
}

/** A name as it may appear in an error message: short, and printable ASCII only. */
export function quote(name: string): string {
  return JSON.stringify(name.replace(/[^\x20-\x7e]/g, '?').slice(0, 40));
}

/** A name with just the characters that RFC 6749, section 5.2, allows in `error_description`: no double quote, no backslash. */
export function quoteForOAuth(name: string): string {
  return `'${name.replace(/[^\x20-\x7e]|["'\\]/g, '?').slice(0, 40)}'`;
}

function acceptsCharset(attributes: readonly string[]): boolean {
  return attributes.every((attribute) => {
    const [name, value] = attribute.split('=').map((part) => part.trim());
    return name !== 'charset' || value?.replaceAll('"', '') === 'utf-8';
  });
}
