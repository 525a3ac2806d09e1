// The client guides for libraries from Debian packages, skipped where those can't be installed.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { followSignOut, type Guide, type Stage, setStage, walkThrough } from './guide-journey.ts';

const python = '/usr/lib/python3/dist-packages';
const apache = '/usr/lib/apache2/modules';

const withoutAuthlib = ensureDebianPackages({
  'python3-authlib': `${python}/authlib`,
  'python3-flask': `${python}/flask`,
  'python3-requests': `${python}/requests`,
});
const withoutApache = ensureDebianPackages({
  // The program alone; the package apache2 would also start a service.
  'apache2-bin': '/usr/sbin/apache2',
  'libapache2-mod-auth-openidc': `${apache}/mod_auth_openidc.so`,
});

let stage: Stage;

before(async () => {
  if (withoutAuthlib === undefined || withoutApache === undefined) stage = await setStage();
});
after(() => stage?.stop());

const authlib: Guide = {
  guide: 'authlib.md',
  command: () => ['/usr/bin/python3', 'app.py'],
  complaint: /bad_signature|BadSignature/,
  revokes: false,
};

const modules = [
  ...['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'mime'],
  ...['auth_openidc', 'env', 'include', 'rewrite'],
];

/** What Debian's configuration puts around a site, in a folder of the test's own. */
function apacheConfiguration(folder: string): string {
  return [
    `Define APP_ROOT "${folder}"`,
    `ServerRoot "${folder}"`,
    `DefaultRuntimeDir "${folder}"`,
    `PidFile "${folder}/apache.pid"`,
    'ServerName localhost',
    'ErrorLog error.log',
    'LogLevel warn',
    // Apache doesn't run as root.
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    ...modules.map((name) => `LoadModule ${name}_module ${apache}/mod_${name}.so`),
    'TypesConfig /dev/null',
    'AddType text/html .html',
    'Include site.conf',
  ].join('\n');
}

const modAuthOpenidc: Guide = {
  guide: 'mod-auth-openidc.md',
  prepare: (folder) => writeFileSync(join(folder, 'apache.conf'), apacheConfiguration(folder)),
  command: (folder) => ['/usr/sbin/apache2', '-f', join(folder, 'apache.conf'), '-DFOREGROUND'],
  environment: ({ port, origin }) => ({
    APP_PORT: port,
    APP_URL: `${origin}/`,
    SESSION_SECRET: randomBytes(32).toString('hex'),
  }),
  logFile: 'error.log',
  complaint: /signature/i,
  revokes: true,
  privatePath: '/account/',
  backchannelLogout: ({ href }) => `${href}?logout=backchannel`,
  signOut: followSignOut,
};

test('the program of authlib.md signs a person in', { skip: skipped('Authlib', withoutAuthlib) }, () => {
  return walkThrough(stage, authlib);
});

test('the site of mod-auth-openidc.md signs a person in', { skip: skipped('mod_auth_openidc', withoutApache) }, () => {
  return walkThrough(stage, modAuthOpenidc);
});

function skipped(library: string, reason: string | undefined): string | false {
  return reason === undefined ? false : `${library} was not run: it ${reason}`;
}
