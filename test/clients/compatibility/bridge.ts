// The libraries of docs/bridge.md with their defaults: people sign in, cancel, refresh and sign out over the bridge.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment } from '../../harness/command.ts';
import { type Attempt, signInOverBridge } from './over-bridge.ts';

const packages = 'libraries';
const apache = '/usr/lib/apache2/modules';

const node = (name: string, settings?: object): Attempt => ({
  name,
  packages,
  ...(settings && { settings }),
  command: () => [process.execPath, `${name}.mjs`],
});
const withoutPkce = { pkce: 'optional' };

const attempts: readonly Attempt[] = [
  node('passport-openidconnect', withoutPkce),
  node('arctic'),
  node('jose-key-set', { ...withoutPkce, signing: 'EdDSA' }),
  {
    name: 'go-oidc',
    packages,
    settings: withoutPkce,
    command: ({ folder }) => {
      const env = cleanEnvironment({
        GO111MODULE: 'off',
        GOPATH: '/usr/share/gocode',
        GOCACHE: join(tmpdir(), 'go-cache'),
      });
      execFileSync('/usr/bin/go', ['build', '-o', 'program', 'go-oidc.go'], { cwd: folder, env });
      return [join(folder, 'program')];
    },
  },
  {
    name: 'omniauth-openid-connect',
    packages,
    settings: withoutPkce,
    command: () => ['/usr/bin/ruby', 'omniauth-openid-connect.rb'],
  },
  { name: 'flask-authlib', packages, settings: withoutPkce, command: () => ['/usr/bin/python3', 'flask-authlib.py'] },
  {
    name: 'mod-auth-openidc',
    packages,
    settings: withoutPkce,
    asksToSignOut: true,
    command: ({ folder }) => apacheIn(folder),
  },
];

signInOverBridge(attempts);

/** What Debian's configuration puts around a site. */
function apacheIn(place: string): readonly [string, ...string[]] {
  const modules = [
    'mpm_event',
    'authn_core',
    'authz_core',
    'authz_user',
    'dir',
    'mime',
    'auth_openidc',
    'include',
    'rewrite',
  ];
  const claims = ['sub', 'email', 'name'].map((claim) => `<!--#echo var="OIDC_CLAIM_${claim}" -->`);
  writeFileSync(join(place, 'page.html'), claims.join('\n'));
  writeFileSync(join(place, 'out.html'), 'signed out');
  const settings = [
    ...[
      `ServerRoot "${place}"`,
      `DefaultRuntimeDir "${place}"`,
      `PidFile "${place}/apache.pid"`,
      'ServerName localhost',
    ],
    ...['ErrorLog error.log', 'LogLevel warn'],
    // Apache doesn't run as root.
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    ...modules.map((name) => `LoadModule ${name}_module ${apache}/mod_${name}.so`),
    ...['TypesConfig /dev/null', 'AddType text/html .html', 'Include mod-auth-openidc.conf'],
  ];
  writeFileSync(join(place, 'apache.conf'), settings.join('\n'));
  return ['/usr/sbin/apache2', '-f', join(place, 'apache.conf'), '-DFOREGROUND'];
}
