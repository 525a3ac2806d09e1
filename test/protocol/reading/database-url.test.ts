import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DatabaseAddress, type Protection, readDatabaseUrl } from '../../../src/protocol/reading/database-url.ts';

function addressOf(url: string): DatabaseAddress {
  const reading = readDatabaseUrl(url);
  assert.equal(reading.kind, 'valid', reading.kind === 'invalid' ? reading.problem : '');
  return reading.kind === 'valid' ? reading.address : assert.fail();
}

describe('the host of a database URL', () => {
  const cases: { url: string; expected: Partial<DatabaseAddress> }[] = [
    {
      url: 'postgres://ada:secret@db.example:5433/latchkey',
      expected: { host: 'db.example', port: 5433, user: 'ada', password: 'secret', database: 'latchkey' },
    },
    {
      url: 'postgresql://localhost',
      expected: { host: 'localhost', port: 5432, user: undefined, password: undefined, database: undefined },
    },
    { url: 'postgres://ada@/latchkey', expected: { host: 'localhost', user: 'ada', database: 'latchkey' } },
    { url: 'postgres://[::1]:5433/x', expected: { host: '::1', port: 5433 } },
    { url: 'postgres://a%40b:p%2Fq%3A@h/d%20b', expected: { user: 'a@b', password: 'p/q:', database: 'd b' } },
    { url: 'postgres://a:100%@h/x', expected: { password: '100%' } },
    { url: 'postgres://a:p@ss:w#rd@h/x', expected: { password: 'p@ss:w#rd', host: 'h' } },
    { url: 'postgres:///latchkey?host=/var/run/postgresql', expected: { host: '/var/run/postgresql', port: 5432 } },
    {
      url: 'postgresql://ada@%2Fvar%2Frun%2Fpostgresql:5433/latchkey',
      expected: { host: '/var/run/postgresql', port: 5433, user: 'ada', database: 'latchkey' },
    },
    {
      url: 'postgres://h/x?user=ada&password=s%26t&dbname=y&port=6000',
      expected: { host: 'h', port: 6000, user: 'ada', password: 's&t', database: 'y' },
    },
    { url: 'postgres://h/x?target_session_attrs=read-write', expected: { host: 'h' } },
    { url: 'postgres://h/x?target_session_attrs=primary', expected: { host: 'h' } },
    {
      url: 'postgres://h/x?sslmode=require&channel_binding=require&application_name=id&options=-c%20work_mem%3D8MB',
      expected: { channelBinding: true, applicationName: 'id', options: '-c work_mem=8MB' },
    },
  ];
  for (const { url, expected } of cases) {
    test(url, () => {
      const address = addressOf(url);
      assert.deepEqual({ ...address, ...expected }, address);
    });
  }
});

describe('the TLS mode of a connection', () => {
  const tls = { kind: 'tls', verified: true, rootCertificate: undefined, certificate: undefined, key: undefined };
  const cases: { url: string; expected: object }[] = [
    { url: 'postgres://db.example/x', expected: tls },
    { url: 'postgres://10.0.0.7/x', expected: tls },
    { url: 'postgres://localhost.example/x', expected: tls },
    { url: 'postgres://[2001:db8::1]/x', expected: tls },
    { url: 'postgres:///x?host=db.example', expected: tls },
    { url: 'postgres://localhost/x?host=db.example', expected: tls },
    { url: 'postgres://db.example/x?sslmode=verify-full', expected: tls },
    { url: 'postgres://db.example/x?sslmode=verify-ca', expected: tls },
    { url: 'postgres://db.example/x?sslmode=require', expected: tls },
    { url: 'postgres://db.example/x?sslrootcert=system', expected: tls },
    {
      url: 'postgres://db.example/x?sslmode=verify-full&sslrootcert=/etc/ca.pem&sslcert=/c.pem&sslkey=/k.pem',
      expected: { ...tls, rootCertificate: '/etc/ca.pem', certificate: '/c.pem', key: '/k.pem' },
    },
    { url: 'postgres://db.example/x?sslmode=no-verify', expected: { ...tls, verified: false } },
    { url: 'postgres://db.example/x?sslmode=disable', expected: { kind: 'none', local: false } },
    { url: 'postgres://localhost/x', expected: { kind: 'none', local: true } },
    { url: 'postgres://127.0.0.2/x', expected: { kind: 'none', local: true } },
    { url: 'postgres://[::1]/x', expected: { kind: 'none', local: true } },
    { url: 'postgres:///x', expected: { kind: 'none', local: true } },
    { url: 'postgres:///x?host=/run/postgresql', expected: { kind: 'none', local: true } },
    { url: 'postgres:///x?host=/run/postgresql&sslmode=verify-full', expected: { kind: 'none', local: true } },
    { url: 'postgres://localhost/x?sslmode=verify-full', expected: tls },
    { url: 'postgres://localhost/x?sslrootcert=ca.pem', expected: { ...tls, rootCertificate: 'ca.pem' } },
  ];
  for (const { url, expected } of cases) {
    test(url, () => {
      const protection: Protection = addressOf(url).protection;
      assert.deepEqual(protection, expected);
    });
  }
});

describe('unsupported database URLs', () => {
  const several = /^DATABASE_URL names several hosts, and Latchkey connects to one\. Name an address .* or a proxy/;
  const cases: { url: string; problem: RegExp }[] = [
    { url: 'mysql://user:hush@h/x', problem: /must be a URL of the form postgres:\/\// },
    { url: 'host=h dbname=x password=hush', problem: /must be a URL of the form postgres:\/\// },
    { url: 'postgres://u:hush@a:5432,b:5433/x?target_session_attrs=read-write', problem: several },
    { url: 'postgres://u:hush@a,b/x', problem: several },
    { url: 'postgres://u:hush@/x?host=a,b', problem: several },
    { url: 'postgres://u:hush@a/x?port=1,2', problem: several },
    { url: 'postgres://u:hush@a:99999/x', problem: /has a port/ },
    { url: 'postgres://u:hush@a:b/x', problem: /has a port/ },
    { url: 'postgres://u:hush@a:1:2/x', problem: /has a port/ },
    { url: 'postgres://u:hush@a/x?target_session_attrs=any', problem: /works only on a primary\. Write read-write/ },
    { url: 'postgres://u:hush@a/x?target_session_attrs=standby', problem: /works only on a primary/ },
    { url: 'postgres://u:hush@a/x?sslmode=prefer', problem: /falls back to clear text\. Write verify-full/ },
    { url: 'postgres://u:hush@a/x?sslmode=allow', problem: /falls back to clear text/ },
    { url: 'postgres://u:hush@a/x?sslmode=on', problem: /none of verify-full, no-verify and disable/ },
    { url: 'postgres://u:hush@a/x?sslmod=disable', problem: /a parameter that Latchkey doesn't know: sslmod\./ },
    { url: 'postgres://u:hush@a/x?sslmode=verify-full&sslmode=disable', problem: /has the parameter sslmode twice/ },
    { url: 'postgres://u:hush@a/x?ssl=true', problem: /doesn't know: ssl\./ },
  ];
  for (const { url, problem } of cases) {
    test(url, () => {
      const reading = readDatabaseUrl(url);
      assert.equal(reading.kind, 'invalid');
      if (reading.kind !== 'invalid') return;
      assert.match(reading.problem, problem);
      assert.equal(reading.problem.includes('hush'), false);
    });
  }
});
