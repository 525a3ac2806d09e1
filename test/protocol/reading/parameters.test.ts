import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ParametersReading, readBody, readQuery } from '../../../src/protocol/reading/parameters.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

function read(parameters: Record<string, string>): ParametersReading {
  return { kind: 'read', parameters: new Map(Object.entries(parameters)) };
}

function refusal(reading: ParametersReading): string {
  assert.equal(reading.kind, 'invalid');
  return reading.kind === 'invalid' ? reading.description : '';
}

describe('the content type of a body', () => {
  const form = Buffer.from('code=abc');
  const accepted = [
    { name: 'a form is read', type: FORM },
    { name: 'the media type is compared without regard to case', type: 'Application/X-WWW-Form-Urlencoded' },
    { name: 'a charset of UTF-8 is accepted', type: `${FORM};charset=UTF-8` },
    { name: 'a charset of utf-8 after a space is accepted', type: `${FORM}; charset=utf-8` },
    { name: 'a quoted charset is accepted', type: `${FORM}; charset="utf-8"` },
    { name: 'space around the media type is ignored', type: ` ${FORM} ; charset=utf-8` },
    { name: 'an attribute that is not a charset is ignored', type: `${FORM}; boundary=x` },
  ];
  for (const c of accepted) test(c.name, () => assert.deepEqual(readBody(c.type, form), read({ code: 'abc' })));

  test('JSON with a charset is read', () => {
    assert.deepEqual(readBody(`${JSON_TYPE}; charset=utf-8`, Buffer.from('{"code":"abc"}')), read({ code: 'abc' }));
  });

  const refused = [
    { name: 'a missing content type is refused', type: undefined, reason: /Content-Type must be/ },
    { name: 'an empty content type is refused', type: '', reason: /Content-Type must be/ },
    { name: 'plain text is refused', type: 'text/plain', reason: /Content-Type must be/ },
    { name: 'a multipart form is refused', type: 'multipart/form-data; boundary=x', reason: /Content-Type must be/ },
    {
      name: 'a media type that only begins like JSON is refused',
      type: 'application/jsonp',
      reason: /Content-Type must be/,
    },
    { name: 'a structured JSON suffix is refused', type: 'application/ld+json', reason: /Content-Type must be/ },
    {
      name: 'two media types in one header are refused',
      type: `${FORM}, ${JSON_TYPE}`,
      reason: /Content-Type must be/,
    },
    { name: 'a charset of ISO-8859-1 is refused', type: `${FORM}; charset=iso-8859-1`, reason: /UTF-8/ },
    { name: 'a charset of UTF-16 is refused for JSON', type: `${JSON_TYPE}; charset=utf-16`, reason: /UTF-8/ },
    { name: 'an empty charset is refused', type: `${FORM}; charset=`, reason: /UTF-8/ },
    { name: 'a charset without a value is refused', type: `${FORM}; charset`, reason: /UTF-8/ },
    {
      name: 'a second charset that differs is refused',
      type: `${FORM}; charset=utf-8; charset=utf-7`,
      reason: /UTF-8/,
    },
  ];
  for (const c of refused) test(c.name, () => assert.match(refusal(readBody(c.type, form)), c.reason));
});

describe('a form body', () => {
  const accepted: { name: string; body: string; expected: Record<string, string> }[] = [
    { name: 'an empty form has no parameters', body: '', expected: {} },
    { name: 'parameters are read by name', body: 'a=1&b=2', expected: { a: '1', b: '2' } },
    { name: 'a plus sign is a space', body: 'scope=openid+email', expected: { scope: 'openid email' } },
    { name: '%20 is a space', body: 'scope=openid%20email', expected: { scope: 'openid email' } },
    { name: '%2B is a plus sign', body: 'a=1%2B1', expected: { a: '1+1' } },
    { name: 'percent encodings may be in lower case', body: 'a=%2f%C3%a9', expected: { a: '/é' } },
    { name: 'names are decoded too', body: 'grant%5Ftype=x&a+b=y', expected: { grant_type: 'x', 'a b': 'y' } },
    { name: 'a value may hold an equals sign', body: 'a=b=c==', expected: { a: 'b=c==' } },
    { name: 'raw UTF-8 is read', body: 'a=é€😀', expected: { a: 'é€😀' } },
    { name: 'an encoded ampersand stays in its value', body: 'a=1%26b=2', expected: { a: '1&b=2' } },
    { name: 'a parameter without a value is treated as omitted', body: 'a=&b=2', expected: { b: '2' } },
    { name: 'a parameter without an equals sign is treated as omitted', body: 'a&b=2', expected: { b: '2' } },
    { name: 'empty pairs are skipped', body: '&&a=1&&b=2&', expected: { a: '1', b: '2' } },
    { name: 'names are case-sensitive', body: 'a=1&A=2', expected: { a: '1', A: '2' } },
    { name: 'a name with brackets is only a name', body: 'a[]=1&a[b]=2', expected: { 'a[]': '1', 'a[b]': '2' } },
    { name: 'a semicolon does not separate parameters', body: 'a=1;b=2', expected: { a: '1;b=2' } },
    { name: 'a parameter called constructor is only a name', body: 'constructor=x', expected: { constructor: 'x' } },
  ];
  for (const c of accepted) {
    test(c.name, () => assert.deepEqual(readBody(FORM, Buffer.from(c.body)), read(c.expected)));
  }

  const repeated = /repeated/;
  const characters = /characters that are not allowed/;
  const refused = [
    { name: 'a repeated parameter is refused', body: 'code=a&code=b', reason: repeated },
    { name: 'a parameter repeated with the same value is refused', body: 'code=a&code=a', reason: repeated },
    { name: 'a parameter repeated three times is refused', body: 'code=a&code=b&code=c', reason: repeated },
    { name: 'a repeated unknown parameter is refused', body: 'x=1&code=a&x=2', reason: repeated },
    { name: 'a repeat in another spelling of the name is refused', body: 'code=a&cod%65=b', reason: repeated },
    { name: 'a repeat of an empty parameter is refused', body: 'code=&code=b', reason: repeated },
    { name: 'an empty repeat is refused', body: 'code=a&code', reason: repeated },
    { name: 'an encoded NUL is refused', body: 'code=a%00b', reason: characters },
    { name: 'a raw NUL is refused', body: 'code=a\0b', reason: characters },
    { name: 'an encoded carriage return is refused', body: 'code=a%0Db', reason: characters },
    { name: 'an encoded line feed is refused', body: 'code=a%0ab', reason: characters },
    { name: 'a raw line feed at the end is refused', body: 'code=abc\n', reason: characters },
    { name: 'a tab is refused', body: 'code=a%09b', reason: characters },
    { name: 'a delete character is refused', body: 'code=a%7Fb', reason: characters },
    { name: 'a percent sign alone is refused', body: 'code=%', reason: characters },
    { name: 'a percent encoding with one digit is refused', body: 'code=%4', reason: characters },
    { name: 'a percent encoding that is not hexadecimal is refused', body: 'code=%zz', reason: characters },
    { name: 'a percent encoding of a UTF-16 unit is refused', body: 'code=%u0041', reason: characters },
    { name: 'percent-encoded bytes that are not UTF-8 are refused', body: 'code=%ff%fe', reason: characters },
    { name: 'an overlong percent encoding is refused', body: 'code=%c0%af', reason: characters },
    { name: 'a percent-encoded surrogate is refused', body: 'code=%ed%a0%80', reason: characters },
    { name: 'a cut-off percent-encoded character is refused', body: 'code=%e2%82', reason: characters },
    { name: 'a name with NUL is refused', body: 'a%00b=2', reason: /name is not plain/ },
    { name: 'a malformed name is refused', body: 'a=1&%zz=2', reason: /name is not plain/ },
    { name: 'a name that is not UTF-8 is refused', body: '%ff=2', reason: /name is not plain/ },
  ];
  for (const c of refused) {
    test(c.name, () => assert.match(refusal(readBody(FORM, Buffer.from(c.body))), c.reason));
  }

  test("bytes that aren't UTF-8 are refused", () => {
    const body = Buffer.concat([Buffer.from('code='), Buffer.from([0xff, 0xfe])]);
    assert.match(refusal(readBody(FORM, body)), /not valid UTF-8/);
  });

  test('a repeated name only has characters that RFC 6749 allows', () => {
    const description = refusal(readBody(FORM, Buffer.from('a"b\\c\'d=1&a"b\\c\'d=2')));
    assert.equal(description, "The parameter 'a?b?c?d' is repeated.");
  });

  test('a repeated name is printable ASCII and truncated', () => {
    const name = `é${encodeURIComponent('\u202e')}${'x'.repeat(100)}`;
    const description = refusal(readBody(FORM, Buffer.from(`${name}=1&${name}=2`)));
    assert.equal(description, `The parameter '??${'x'.repeat(38)}' is repeated.`);
  });
});

describe('a JSON body', () => {
  const accepted: { name: string; body: string; expected: Record<string, string> }[] = [
    { name: 'an empty object has no parameters', body: '{}', expected: {} },
    { name: 'members that are strings are read', body: '{"a":"1","b":"2"}', expected: { a: '1', b: '2' } },
    { name: 'white space between tokens is ignored', body: ' {\r\n\t"a" : "1" } \n', expected: { a: '1' } },
    { name: 'an empty string is treated as omitted', body: '{"a":"","b":"2"}', expected: { b: '2' } },
    { name: 'escapes in values are decoded', body: '{"a":"\\u00e9\\ud83d\\ude00\\/"}', expected: { a: 'é😀/' } },
    { name: 'escapes in names are decoded', body: '{"cod\\u0065":"x"}', expected: { code: 'x' } },
    {
      name: 'escaped quotes do not look like repeats',
      body: '{"a":"x\\"y\\"z\\\\","b":"\\\\"}',
      expected: { a: 'x"y"z\\', b: '\\' },
    },
    {
      name: 'a value that looks like a member is only a value',
      body: '{"a":"\\"a\\":\\"b\\""}',
      expected: { a: '"a":"b"' },
    },
    { name: 'a value equal to a name is not a repeat', body: '{"a":"b","b":"a"}', expected: { a: 'b', b: 'a' } },
    { name: 'a plus sign stays a plus sign', body: '{"a":"1+1%20"}', expected: { a: '1+1%20' } },
    { name: 'a member called constructor is only a name', body: '{"constructor":"x"}', expected: { constructor: 'x' } },
    { name: 'names that are numbers are read', body: '{"2":"b","1":"a"}', expected: { 1: 'a', 2: 'b' } },
  ];
  for (const c of accepted) {
    test(c.name, () => assert.deepEqual(readBody(JSON_TYPE, Buffer.from(c.body)), read(c.expected)));
  }

  const notJson = /not valid JSON/;
  const notObject = /must be a JSON object/;
  const notString = /'code' must be a string/;
  const repeated = /member is repeated/;
  const characters = /characters that are not allowed/;
  const refused = [
    { name: 'an empty body is not JSON', body: '', reason: notJson },
    { name: 'a form is not JSON', body: 'code=a', reason: notJson },
    { name: 'a trailing comma is refused', body: '{"a":"1",}', reason: notJson },
    { name: 'two JSON values are refused', body: '{"a":"1"}{"b":"2"}', reason: notJson },
    { name: 'a byte order mark is refused', body: '\ufeff{"a":"1"}', reason: notJson },
    { name: 'a raw line feed in a string is refused', body: '{"a":"1\n2"}', reason: notJson },
    { name: 'a body that is an array is refused', body: '["code"]', reason: notObject },
    { name: 'a body that is a string is refused', body: '"code"', reason: notObject },
    { name: 'a body that is a number is refused', body: '1', reason: notObject },
    { name: 'a body that is true is refused', body: 'true', reason: notObject },
    { name: 'a body that is null is refused', body: 'null', reason: notObject },
    { name: 'a member that is an array is refused', body: '{"code":["a"]}', reason: notString },
    { name: 'a member that is an empty array is refused', body: '{"code":[]}', reason: notString },
    { name: 'a member that is an object is refused', body: '{"code":{"a":"b"}}', reason: notString },
    { name: 'a member that is true is refused', body: '{"code":true}', reason: notString },
    { name: 'a member that is false is refused', body: '{"code":false}', reason: notString },
    { name: 'a member that is null is refused', body: '{"code":null}', reason: notString },
    { name: 'a member that is a number is refused', body: '{"code":123}', reason: notString },
    { name: 'a member that is zero is refused', body: '{"code":0}', reason: notString },
    { name: 'a member called __proto__ is refused', body: '{"__proto__":"x"}', reason: /__proto__/ },
    { name: 'a __proto__ object is refused', body: '{"__proto__":{"code":"x"}}', reason: /__proto__/ },
    { name: 'an escaped __proto__ is refused', body: '{"__prot\\u006f__":"x"}', reason: /__proto__/ },
    { name: 'a repeated member is refused', body: '{"code":"a","code":"b"}', reason: repeated },
    { name: 'a member repeated with the same value is refused', body: '{"code":"a","code":"a"}', reason: repeated },
    { name: 'a repeat in an escaped spelling is refused', body: '{"code":"a","cod\\u0065":"b"}', reason: repeated },
    {
      name: 'a repeat that comes after an escaped spelling is refused',
      body: '{"cod\\u0065":"a","code":"b"}',
      reason: repeated,
    },
    { name: 'a repeat that hides an array is refused', body: '{"code":["a","b"],"code":"c"}', reason: repeated },
    { name: 'a repeat that hides a number is refused', body: '{"code":1,"code":"c"}', reason: repeated },
    { name: 'a repeat that hides null is refused', body: '{"code":null,"code":"c"}', reason: repeated },
    { name: 'a repeat that hides an object is refused', body: '{"code":{},"code":"c"}', reason: repeated },
    { name: 'a repeated empty member is refused', body: '{"code":"","code":""}', reason: repeated },
    { name: 'a repeat beside escaped quotes is refused', body: '{"a":"\\"","a":"\\\\"}', reason: repeated },
    { name: 'an escaped NUL is refused', body: '{"code":"a\\u0000b"}', reason: characters },
    { name: 'an escaped carriage return is refused', body: '{"code":"a\\rb"}', reason: characters },
    { name: 'an escaped line feed is refused', body: '{"code":"a\\nb"}', reason: characters },
    { name: 'an escaped tab is refused', body: '{"code":"a\\tb"}', reason: characters },
    { name: 'a raw delete character is refused', body: '{"code":"a\u007fb"}', reason: characters },
    { name: 'a lone high surrogate is refused', body: '{"code":"\\ud83d"}', reason: characters },
    { name: 'a lone low surrogate is refused', body: '{"code":"\\ude00"}', reason: characters },
    { name: 'surrogates in the wrong order are refused', body: '{"code":"\\ude00\\ud83d"}', reason: characters },
  ];
  for (const c of refused) {
    test(c.name, () => assert.match(refusal(readBody(JSON_TYPE, Buffer.from(c.body))), c.reason));
  }

  test("bytes that aren't UTF-8 are refused in JSON", () => {
    const body = Buffer.concat([Buffer.from('{"code":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    assert.match(refusal(readBody(JSON_TYPE, body)), /not valid UTF-8/);
  });
});

describe('a query string', () => {
  const cases: {
    name: string;
    query: string;
    parameters: Record<string, string>;
    repeated?: string[];
    malformed?: string[];
  }[] = [
    { name: 'an empty query has no parameters', query: '', parameters: {} },
    { name: 'a query is decoded like a form', query: 'a=1+2%203&b=%C3%A9', parameters: { a: '1 2 3', b: 'é' } },
    { name: 'an empty value is treated as omitted in a query', query: 'state=&a=1', parameters: { a: '1' } },
    {
      name: 'a repeated parameter loses its value and leaves the others',
      query: 'state=a&client_id=c&state=b',
      parameters: { client_id: 'c' },
      repeated: ['state'],
    },
    {
      name: 'a parameter repeated three times does not come back',
      query: 'state=a&state=b&state=c',
      parameters: {},
      repeated: ['state'],
    },
    {
      name: 'an empty first value does not hide a repeat',
      query: 'state=&state=b',
      parameters: {},
      repeated: ['state'],
    },
    {
      name: 'a repeat in another spelling of the name is found',
      query: 'state=a&st%61te=b',
      parameters: {},
      repeated: ['state'],
    },
    {
      name: 'a malformed value is named and leaves the others',
      query: 'nonce=%zz&client_id=c&redirect_uri=r',
      parameters: { client_id: 'c', redirect_uri: 'r' },
      malformed: ['nonce'],
    },
    {
      name: 'a malformed value that is repeated is named for both',
      query: 'nonce=%zz&nonce=b',
      parameters: {},
      repeated: ['nonce'],
      malformed: ['nonce'],
    },
    { name: 'a malformed name is skipped', query: '%zz=1&a=2', parameters: { a: '2' } },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const reading = readQuery(c.query);
      assert.deepEqual(reading.parameters, new Map(Object.entries(c.parameters)));
      assert.deepEqual([...reading.repeated], c.repeated ?? []);
      assert.deepEqual([...reading.invalid], c.malformed ?? []);
    });
  }

  for (const character of ['%00', '%0A', '%0D', '%09', '%1F', '%7F']) {
    test(`a value with ${character} is malformed; the others are read`, () => {
      const reading = readQuery(`state=a${character}b&client_id=c`);
      assert.deepEqual([...reading.invalid], ['state']);
      assert.equal(reading.parameters.get('client_id'), 'c');
    });
  }
});

describe('fields with several lines', () => {
  const body = Buffer.from('uris=a%0D%0Ab%0Ac&name=d');
  test('are accepted if the form allows them', () => {
    assert.deepEqual(readBody(FORM, body, ['uris']), read({ uris: 'a\r\nb\nc', name: 'd' }));
  });
  for (const [name, text, multiline] of [
    ['where it does not', 'uris=a%0Ab', ['name']],
    ['with another control character in them', 'uris=a%0A%00b', ['uris']],
    ['with a lone carriage return in them', 'uris=a%0Db', ['uris']],
  ] as const) {
    test(`are refused ${name}`, () => {
      assert.match(refusal(readBody(FORM, Buffer.from(text), multiline)), /'uris' has characters/);
    });
  }
});
