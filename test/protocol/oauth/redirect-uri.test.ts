import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  displayHost,
  formActionSource,
  isLoopbackHost,
  newRedirectUriProblem,
  redirectUriProblem,
  withParameters,
} from '../../../src/protocol/oauth/redirect-uri.ts';

describe('URIs that every client can register', () => {
  const uris = [
    'https://app.example/cb',
    'https://app.example',
    'https://app.example/',
    'https://app.example:8443/cb',
    'https://app.example/cb?tenant=1',
    'https://app.example/cb?',
    'https://app.example/a%20b/c;d,e',
    'https://sub.app.example/deep/path/',
    'https://192.0.2.7/cb',
    'https://[2001:db8::1]/cb',
    'https://xn--bcher-kva.example/cb',
    'HTTPS://APP.EXAMPLE/cb',
    'http://localhost/cb',
    'http://localhost:3000/cb',
    'http://LOCALHOST:3000/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:49152/cb',
    'http://[::1]/cb',
    'http://[::1]:8080/cb',
    `https://app.example/${'x'.repeat(1980)}`,
  ];
  for (const uri of uris) {
    test(`${uri.slice(0, 60)} can be registered`, () => {
      assert.equal(redirectUriProblem(uri, false), undefined);
      assert.equal(redirectUriProblem(uri, true), undefined);
    });
  }
});

describe('URIs that no client can register', () => {
  const encoded = /percent-encoded/;
  const absolute = /absolute URI|plain host/;
  const plainHttp = /plain http/;
  const scheme = /must be https/;
  const cases = [
    { name: 'an empty URI is refused', uri: '', problem: /./ },
    { name: 'a URI of 2001 characters is refused', uri: `https://app.example/${'x'.repeat(1981)}`, problem: /2000/ },
    { name: 'a space is refused', uri: 'https://app.example/a b', problem: encoded },
    { name: 'a space before the URI is refused', uri: ' https://app.example/', problem: encoded },
    { name: 'a tab inside the scheme is refused', uri: 'ht\ttps://app.example/', problem: encoded },
    { name: 'a final line feed is refused', uri: 'https://app.example/cb\n', problem: encoded },
    { name: 'a carriage return and line feed are refused', uri: 'https://app.example/\r\nx: y', problem: encoded },
    { name: 'a NUL is refused', uri: 'https://app.example/\0', problem: encoded },
    { name: 'a host outside ASCII is refused', uri: 'https://bücher.example/', problem: encoded },
    { name: 'a path outside ASCII is refused', uri: 'https://app.example/é', problem: encoded },
    { name: 'a semicolon in the host is refused', uri: 'https://evil.example;sandbox/cb', problem: /plain host/ },
    { name: 'a comma in the host is refused', uri: 'https://evil.example,sandbox/cb', problem: /plain host/ },
    { name: 'an encoded semicolon in the host is refused', uri: 'https://a%3Bb.example/cb', problem: /plain host/ },
    { name: 'a quote in the host is refused', uri: "https://'none'.example/cb", problem: /plain host/ },
    { name: 'a semicolon in a loopback host is refused', uri: 'http://localhost;x/cb', problem: /plain host/ },
    { name: 'a wildcard host is refused', uri: 'https://*.app.example/cb', problem: /wildcard/ },
    { name: 'a wildcard path is refused', uri: 'https://app.example/*', problem: /wildcard/ },
    { name: 'a fragment is refused', uri: 'https://app.example/cb#x', problem: /fragment/ },
    { name: 'an empty fragment is refused', uri: 'https://app.example/cb#', problem: /fragment/ },
    { name: 'a backslash before the host is refused', uri: 'https:\\\\app.example/', problem: /percent-encoded/ },
    {
      name: 'a backslash after the host is refused',
      uri: 'https://app.example\\@evil.example/',
      problem: /percent-encoded/,
    },
    { name: 'a path alone is refused', uri: '/cb', problem: absolute },
    { name: 'a host alone is refused', uri: 'app.example/cb', problem: absolute },
    { name: 'a URI without a scheme is refused', uri: '//app.example/cb', problem: absolute },
    { name: 'https without slashes is refused', uri: 'https:app.example/cb', problem: absolute },
    { name: 'https with one slash is refused', uri: 'https:/app.example/cb', problem: absolute },
    { name: 'https without a host is refused', uri: 'https://', problem: absolute },
    { name: 'https with an empty host before a path is refused', uri: 'https:///app.example/cb', problem: absolute },
    { name: 'https with a port alone is refused', uri: 'https://:8443/cb', problem: absolute },
    { name: 'a port that is too high is refused', uri: 'https://app.example:65536/cb', problem: absolute },
    { name: 'a user name is refused', uri: 'https://user@app.example/cb', problem: /credentials/ },
    { name: 'a password is refused', uri: 'https://user:pass@app.example/cb', problem: /credentials/ },
    { name: 'a password without a user name is refused', uri: 'https://:pw@app.example/cb', problem: /credentials/ },
    {
      name: 'a host hidden behind credentials is refused',
      uri: 'https://app.example@evil.example/',
      problem: /credentials/,
    },
    { name: 'credentials on loopback are refused', uri: 'http://localhost@evil.example/', problem: /credentials/ },
    { name: 'plain http is refused', uri: 'http://app.example/cb', problem: plainHttp },
    { name: 'plain http on a private network is refused', uri: 'http://192.168.1.10/cb', problem: plainHttp },
    { name: 'plain http on every interface is refused', uri: 'http://0.0.0.0/cb', problem: plainHttp },
    { name: 'a host that begins with localhost is refused', uri: 'http://localhost.evil.example/', problem: plainHttp },
    { name: 'a host that ends with localhost is refused', uri: 'http://evil-localhost/', problem: plainHttp },
    { name: 'a host that begins with 127.0.0.1 is refused', uri: 'http://127.0.0.1.evil.example/', problem: plainHttp },
    { name: 'plain http on another IPv6 address is refused', uri: 'http://[::2]/cb', problem: plainHttp },
    { name: 'javascript is refused', uri: 'javascript:alert(1)', problem: scheme },
    { name: 'javascript in capitals is refused', uri: 'JavaScript:alert(1)', problem: scheme },
    { name: 'javascript with slashes is refused', uri: 'javascript://app.example/%0aalert(1)', problem: scheme },
    { name: 'data is refused', uri: 'data:text/html,x', problem: scheme },
    { name: 'vbscript is refused', uri: 'vbscript:x', problem: scheme },
    { name: 'a file is refused', uri: 'file:///etc/passwd', problem: scheme },
    { name: 'ftp is refused', uri: 'ftp://app.example/', problem: scheme },
    { name: 'a web socket is refused', uri: 'wss://app.example/', problem: scheme },
    { name: 'blob is refused', uri: 'blob:https://app.example/1', problem: scheme },
    { name: 'about:blank is refused', uri: 'about:blank', problem: scheme },
    { name: 'a mail address is refused', uri: 'mailto:a@app.example', problem: scheme },
    { name: 'a scheme without a dot is refused', uri: 'myapp://cb', problem: scheme },
    { name: 'a scheme that ends with a dot is refused', uri: 'myapp.:/cb', problem: scheme },
    { name: 'the out-of-band address is refused', uri: 'urn:ietf:wg:oauth:2.0:oob', problem: scheme },
  ];
  for (const c of cases) {
    test(c.name, () => {
      for (const clientIsPublic of [false, true]) {
        assert.match(redirectUriProblem(c.uri, clientIsPublic) ?? 'accepted', c.problem);
        assert.notEqual(redirectUriProblem(c.uri, clientIsPublic), undefined);
      }
    });
  }
});

describe('a private-use scheme', () => {
  for (const uri of ['com.example.app:/callback', 'com.example.app://callback', 'com.example.my-app:/oauth?x=1']) {
    test(`${uri} is for public clients only`, () => {
      assert.equal(redirectUriProblem(uri, true), undefined);
      assert.match(redirectUriProblem(uri, false) ?? 'accepted', /only public clients/);
    });
  }
});

describe('loopback hosts', () => {
  const cases = [
    { host: 'localhost', expected: true },
    { host: '127.0.0.1', expected: true },
    { host: '127.255.255.254', expected: true },
    { host: '[::1]', expected: true },
    { host: '::1', expected: false },
    { host: '128.0.0.1', expected: false },
    { host: 'localhost.example', expected: false },
    { host: 'xlocalhost', expected: false },
    { host: '127.0.0.1.example', expected: false },
    { host: '0.0.0.0', expected: false },
    { host: '', expected: false },
  ];
  for (const c of cases) {
    test(`"${c.host}" is ${c.expected ? 'a' : 'no'} loopback host`, () => {
      assert.equal(isLoopbackHost(c.host), c.expected);
    });
  }
});

describe('a response appended to a redirect URI', () => {
  const cases: { name: string; uri: string; parameters: Record<string, string | undefined>; expected: string }[] = [
    {
      name: 'parameters start a query where there is none',
      uri: 'https://app.example/cb',
      parameters: { code: 'abc', state: 'xyz' },
      expected: 'https://app.example/cb?code=abc&state=xyz',
    },
    {
      name: 'an existing query is kept byte for byte',
      uri: 'https://app.example/cb?tenant=a%2fb+c',
      parameters: { code: 'abc' },
      expected: 'https://app.example/cb?tenant=a%2fb+c&code=abc',
    },
    {
      name: 'an empty query is continued without an ampersand',
      uri: 'https://app.example/cb?',
      parameters: { code: 'abc' },
      expected: 'https://app.example/cb?code=abc',
    },
    {
      name: 'a query that ends with an ampersand gets no second one',
      uri: 'https://app.example/cb?a=1&',
      parameters: { code: 'abc' },
      expected: 'https://app.example/cb?a=1&code=abc',
    },
    {
      name: 'a parameter without a value is left out',
      uri: 'https://app.example/cb',
      parameters: { error: 'access_denied', state: undefined, iss: 'i' },
      expected: 'https://app.example/cb?error=access_denied&iss=i',
    },
    {
      name: 'values are percent-encoded',
      uri: 'https://app.example/cb',
      parameters: { state: 'a b&c=d+e#f%?é😀"<>' },
      expected: 'https://app.example/cb?state=a%20b%26c%3Dd%2Be%23f%25%3F%C3%A9%F0%9F%98%80%22%3C%3E',
    },
    {
      name: 'a line break cannot leave its value',
      uri: 'https://app.example/cb',
      parameters: { state: 'a\r\nSet-Cookie: x' },
      expected: 'https://app.example/cb?state=a%0D%0ASet-Cookie%3A%20x',
    },
    {
      name: 'a lone surrogate is replaced',
      uri: 'https://app.example/cb',
      parameters: { state: 'a\ud83d' },
      expected: 'https://app.example/cb?state=a%EF%BF%BD',
    },
    {
      name: 'the host and path are not normalised',
      uri: 'HTTPS://App.Example:443/a/../cb',
      parameters: { code: 'abc' },
      expected: 'HTTPS://App.Example:443/a/../cb?code=abc',
    },
    {
      name: 'a private-use scheme gets a query too',
      uri: 'com.example.app:/cb',
      parameters: { code: 'abc' },
      expected: 'com.example.app:/cb?code=abc',
    },
  ];
  for (const c of cases) test(c.name, () => assert.equal(withParameters(c.uri, c.parameters), c.expected));

  test('a client reads back the value that was sent', () => {
    const state = 'a b&c=d+e#f%?é😀"<>/\\\'()*!~';
    assert.equal(new URL(withParameters('https://app.example/cb?x=1', { state })).searchParams.get('state'), state);
  });
});

describe('the form-action source for a redirect URI', () => {
  const cases = [
    { uri: 'https://app.example/cb?x=1', expected: 'https://app.example' },
    { uri: 'https://app.example:8443/cb', expected: 'https://app.example:8443' },
    { uri: 'https://app.example:443/cb', expected: 'https://app.example' },
    { uri: 'HTTPS://APP.EXAMPLE/cb', expected: 'https://app.example' },
    { uri: 'http://localhost:3000/cb', expected: 'http://localhost:3000' },
    { uri: 'http://[::1]:3000/cb', expected: 'http:' },
    { uri: 'https://[2001:db8::1]/cb', expected: 'https:' },
    { uri: 'com.example.app:/cb', expected: 'com.example.app:' },
    { uri: 'com.example.app://host/cb', expected: 'com.example.app:' },
  ];
  for (const c of cases) test(`${c.uri} needs ${c.expected}`, () => assert.equal(formActionSource(c.uri), c.expected));
});

describe('the host shown to people', () => {
  const cases = [
    { uri: 'https://app.example/cb?x=1', expected: 'app.example' },
    { uri: 'https://app.example:8443/cb', expected: 'app.example:8443' },
    { uri: 'https://APP.example:443/cb', expected: 'app.example' },
    { uri: 'https://xn--bcher-kva.example/cb', expected: 'xn--bcher-kva.example' },
    { uri: 'http://[::1]:3000/cb', expected: '[::1]:3000' },
    { uri: 'com.example.app:/cb', expected: 'com.example.app' },
    { uri: 'com.example.app://app.example/cb', expected: 'com.example.app' },
  ];
  for (const c of cases) test(`${c.uri} is shown as ${c.expected}`, () => assert.equal(displayHost(c.uri), c.expected));
});

describe('parameters of a response in the query of a new redirect URI', () => {
  const reserved = [
    'https://app.example/cb?code',
    'https://app.example/cb?code=1',
    'https://app.example/cb?a=1&state=2',
    'https://app.example/cb?iss=',
    'https://app.example/cb?error=x',
    'https://app.example/cb?&&error_description=x',
    'https://app.example/cb?session_state=x',
    'https://app.example/cb?c%6Fde=1',
    'https://app.example/cb?%63%6f%64%65=1',
    'https://app.example/cb?a=b?&state=1',
    'com.example.app:/cb?state=1',
  ];
  for (const uri of reserved) {
    test(`${uri} can't be registered`, () => assert.match(newRedirectUriProblem(uri) ?? '', /^has the parameter "/));
  }
  const allowed = [
    'https://app.example/cb',
    'https://app.example/cb?',
    'https://app.example/code?state_of=1',
    'https://app.example/cb?a=code&b=state%3D1',
    'https://app.example/cb?Code=1',
    'https://app.example/cb?a=1%26state=2',
    'https://app.example/state/cb?tenant=iss',
  ];
  for (const uri of allowed) test(`${uri} can`, () => assert.equal(newRedirectUriProblem(uri), undefined));
});

test('a host that no policy can name is no source of form-action', () => {
  assert.equal(formActionSource('https://evil.example;sandbox/cb'), undefined);
  assert.equal(formActionSource('https://evil.example%2Cx/cb'), undefined);
});
