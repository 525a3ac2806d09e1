// HTTP Basic, which the token endpoint refuses: detected, so that the response and the event can say so.

export function isBasic(authorization: string | undefined): authorization is string {
  return authorization !== undefined && /^basic( |$)/i.test(authorization);
}

const credentialsForm = /^([a-z0-9_-]{1,40}):/;

/** The client that the header names; undefined when it can't be read. What comes after the colon is a secret. */
export function basicClientId(authorization: string): string | undefined {
  const credentials = Buffer.from(authorization.slice('basic '.length), 'base64').toString('latin1');
  return credentialsForm.exec(credentials)?.[1];
}
