// How the paths of the console and the API name a person. People who came from another service may have an id that is
// the name of a page, so such an id is marked with a character that no id has.

const mark = '~';
const names = ['new', 'invitations', 'waiting', 'sign-up-links'];

export function personSegment(id: string): string {
  return (names.includes(id) ? mark : '') + encodeURIComponent(id);
}

/** The id, from a segment that has been decoded. */
export function idInSegment(segment: string): string {
  return segment.startsWith(mark) ? segment.slice(mark.length) : segment;
}
