// Describes why a request to another server got no response.

import { codeOf } from '../../protocol/reading/caught-errors.ts';

const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before the response',
  EPIPE: 'the connection was closed before the response',
  ENOTFOUND: 'the host is unknown',
  ENODATA: 'the host is unknown',
  ETIMEOUT: 'the name servers did not answer',
  ESERVFAIL: 'the name servers failed to look up the host',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not from a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not from a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not from a trusted authority',
};

export function connectionProblem(error: unknown): string {
  const code = codeOf(error) ?? '';
  // One for each address of the host.
  const each = error instanceof AggregateError ? error.errors.map((one) => codeOf(one) ?? '') : [];
  const known = [code, ...each].find((one) => one in codes);
  if (known !== undefined) return codes[known] ?? known;
  if (code.startsWith('HPE_')) return 'the response is not valid HTTP';
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}
