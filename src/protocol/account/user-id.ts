// Which ids a person can have. The service generates ids that begin with a digit; somebody who came from another
// service may keep the id that applications know them by there.

const form = /^[A-Za-z0-9._|:@-]{1,255}$/;

/** An id that URLs, commands and files can hold. `.` and `..` mean a directory in a URL, so nobody's page could be opened. */
export function isUserId(text: string): boolean {
  return form.test(text) && text !== '.' && text !== '..';
}
