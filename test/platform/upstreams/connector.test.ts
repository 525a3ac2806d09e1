// Which URLs an identity provider can have, and that one that hangs keeps nobody from another one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upstreamConnector } from '../../../src/platform/upstreams/connector.ts';
import { githubMetadata } from '../../../src/protocol/upstreams/metadata.ts';

test("a URL that would be shown as another one can't be an identity provider's", () => {
  const { urlProblem } = upstreamConnector({ networks: [] });
  assert.equal(urlProblem('https://id.example.com'), undefined);
  assert.equal(urlProblem('https://bücher.example/straße'), undefined);
  for (const character of ['\u00ad', '\u200b', '\u202e', '\u2060']) {
    assert.equal(urlProblem(`https://id.example.com/a${character}b`), "can't contain invisible characters");
  }
});

test("requests waiting for one upstream don't block the others", async () => {
  const released = Promise.withResolvers<string[]>();
  const connector = upstreamConnector({ networks: [], resolve: () => released.promise });
  const finish = (host: string) => {
    const issuer = `https://${host}.example`;
    const upstream = { issuer, clientId: 'ours', scopes: [], metadata: githubMetadata(issuer) };
    const trip = { redirectUri: 'https://id.example/callback', state: 's', nonce: 'n', verifier: 'v' };
    return connector.finish(upstream, { ...trip, query: 'state=s&code=c', secret: 'x', startedAt: 0, now: 0 });
  };
  const problemOf = async (answer: ReturnType<typeof finish>) => {
    const { kind, ...rest } = await answer;
    return kind === 'refused' && 'problem' in rest ? rest.problem : undefined;
  };
  const waiting = Array.from({ length: 25 }, () => finish('slow'));
  assert.equal(await problemOf(finish('slow')), 'too many wait for the identity provider');
  const other = finish('other');
  released.resolve([]);
  for (const answer of [...waiting, other]) assert.match((await problemOf(answer)) ?? '', /has no IP address/);
  assert.match((await problemOf(finish('slow'))) ?? '', /has no IP address/);
});
