// Which IDs a person can have. The service generates IDs that start with a digit; people imported from another service can keep
// the ID that their applications know.

const form = /^[A-Za-z0-9._|:@-]{1,255}$/;

/** An id that URLs, commands and files can hold. `.` and `..` mean a directory in a URL, so nobody's page could be opened. */
export function isUserId(text: string): boolean {
  return form.test(text) && text !== '.' && text !== '..';
}
