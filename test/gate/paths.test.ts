// What an application says about a path.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rulesFor, satisfies } from '../../src/gate/paths.ts';

const admins = { paths: ['/admin/*', '/Ops'], claim: 'role', values: ['admin'] };
const staff = { paths: ['/staff/*', '/admin/*'], claim: 'groups', values: ['Staff', 'Board'] };
const cafe = { paths: ['/café/*'], claim: 'role', values: ['barista'] };
const application = {
  open: ['/healthz', '/assets/*', '/admin/logo.png'],
  programs: ['/api/*'],
  require: [admins, staff, cafe],
};

describe('the rules of a path', () => {
  const all = [admins, staff, cafe];
  for (const [path, open, program, require] of [
    // Exact, or by the beginning.
    ['/', false, false, []],
    ['/healthz', true, false, []],
    ['/healthz/', false, false, []],
    ['/healthzz', false, false, []],
    ['/assets/', true, false, []],
    ['/assets/a/b.css', true, false, []],
    ['/assets', false, false, []],
    ['/assetsx', false, false, []],
    ['/api/v1', false, true, []],
    ['/api', false, true, []],
    ['/apix', false, false, []],
    // What is required wins over what is open, and covers the folder itself.
    ['/admin/logo.png', false, false, [admins, staff]],
    ['/admin/', false, false, [admins, staff]],
    ['/admin', false, false, [admins, staff]],
    ['/staff/x', false, false, [staff]],
    ['/Ops', false, false, [admins]],
    ['/administrators', false, false, []],
    // Decoded once.
    ['/%61ssets/x', true, false, []],
    ['/%61dmin/x', false, false, [admins, staff]],
    ['/assets/caf%C3%A9%20au%20lait%3F', true, false, []],
    ['/staff/caf%C3%A9', false, false, [staff]],
    // Another case than the pattern's.
    ['/ASSETS/x', false, false, all],
    ['/Healthz', false, false, all],
    ['/Admin/x', false, false, all],
    ['/ADMIN/', false, false, all],
    ['/ops', false, false, all],
    ['/API/v1', false, false, []],
    // Other spellings that some servers take for the pattern's.
    ['/admin.', false, false, all],
    ['/admin./x', false, false, all],
    ['/admin%20', false, false, all],
    ['/admin%20/x', false, false, all],
    ['/admin%C2%A0/x', false, false, all],
    ['/admin%3Fx', false, false, all],
    ['/admin%3F/x', false, false, all],
    ['/admin%23x', false, false, all],
    ['/ADMIN.%20/x', false, false, all],
    ['/%EF%BD%81dmin/x', false, false, all],
    ['/%C4%B0nfo', false, false, []],
    ['/assets./x', false, false, all],
    ['/healthz.', false, false, all],
    ['/staff/Acme%20Inc.', false, false, [staff]],
    ['/assets/Acme%20Inc.', true, false, []],
    ['/wiki/What%3F', false, false, []],
    ['/wiki/C%23', false, false, []],
    ['/wiki/Inc.', false, false, []],
    ['/caf%C3%A9/x', false, false, [cafe]],
    ['/cafe%CC%81/x', false, false, all],
    ['/CAF%C3%89/x', false, false, all],
    ['/Ops/', false, false, [admins]],
    ['/assets/%EF%BC%8E%EF%BC%8E/admin', false, false, all],
    ['/assets/%EF%BC%8E%EF%BC%8E%EF%BC%8Fadmin', false, false, all],
    ['/assets/x%EF%BC%BC..%EF%BC%BCadmin', false, false, all],
    ['/assets/%EF%BC%852e%EF%BC%852e/admin', false, false, all],
    ['/assets/%EF%BC%85252e/admin', false, false, all],
    ['/assets/AC%EF%BC%8FDC%EF%BC%9F', true, false, []],
    // What servers read in different ways.
    ['//assets/x', false, false, all],
    ['/assets//x', false, false, all],
    ['/assets/../admin/x', false, false, all],
    ['/assets/./x', false, false, all],
    ['/assets/.hidden', false, false, all],
    ['/assets/%2e%2e/admin', false, false, all],
    ['/assets/%2E%2E/admin', false, false, all],
    ['/assets/x%2ecss', false, false, all],
    ['/assets%2Fx', false, false, all],
    ['/assets/%5c../admin', false, false, all],
    ['/assets/\\..\\admin', false, false, all],
    ['/assets/%252e%252e/admin', false, false, all],
    ['/assets/x;y', false, false, all],
    ['/assets/x%3By', false, false, all],
    ['/assets/%00', false, false, all],
    ['/assets/%zz', false, false, all],
    ['/assets/%', false, false, all],
    ['/assets/%c0%af', false, false, all],
    ['/assets/%ff', false, false, all],
    ['/assets/x#y', false, false, all],
    ['/assets/caf\xe9', false, false, all],
  ] as const) {
    test(path, () => assert.deepEqual(rulesFor(path, application), { open, program, require }));
  }

  test('a path of 32 KB takes no time, whatever it consists of', () => {
    const began = process.threadCpuUsage();
    for (const part of ['.', '%20', '/', '/x', '%', '%2', ';', 'x.', '%EF%B7%BA', '%CC%81', '. ']) {
      rulesFor(`/${part.repeat(32_000 / part.length)}x`, application);
    }
    // Of CPU, in microseconds: on a busy machine, everything takes its time.
    assert.ok(process.threadCpuUsage(began).user < 500_000);
  });

  test('without anything required, an unusual path only has to be signed in for', () => {
    const rules = rulesFor('/assets/../x', { ...application, require: [] });
    assert.deepEqual(rules, { open: false, program: false, require: [] });
  });
});

describe('a requirement', () => {
  for (const [claims, expected] of [
    [{ role: 'admin' }, true],
    [{ role: 'Admin' }, false],
    [{ role: 'administrator' }, false],
    [{ role: ['user', 'admin'] }, true],
    [{ role: [] }, false],
    [{ role: { admin: true } }, false],
    [{ role: [['admin']] }, false],
    [{ role: null }, false],
    [{}, false],
  ] as const) {
    test(JSON.stringify(claims), () => assert.equal(satisfies(claims, [admins]), expected));
  }

  test("a boolean and a number are compared as text, and names of an object's own are no claims", () => {
    assert.equal(satisfies({ paid: true, level: 3 }, [{ paths: [], claim: 'paid', values: ['true'] }]), true);
    assert.equal(satisfies({ paid: true, level: 3 }, [{ paths: [], claim: 'level', values: ['3'] }]), true);
    assert.equal(satisfies({}, [{ paths: [], claim: 'constructor', values: [String(Object)] }]), false);
  });

  test('every one of several has to be met', () => {
    assert.equal(satisfies({ role: 'admin', groups: ['Board'] }, [admins, staff]), true);
    assert.equal(satisfies({ role: 'admin', groups: ['Guests'] }, [admins, staff]), false);
    assert.equal(satisfies({ groups: ['Board'] }, [admins, staff]), false);
    assert.equal(satisfies({}, []), true);
  });
});
