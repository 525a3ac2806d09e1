// Installs client libraries and software into folders of their own below test/clients/compatibility, and signs in with them.
// The libraries take 2 minutes to install and 3 to sign in with, on two busy cores. Directus and Actual Budget have parts
// that are compiled, which takes longer than all the rest. npm's registry and Debian's packages must be reachable; the
// Debian packages are installed as root, or by hand.
//
//   npm run compatibility -- [--only libraries|meshcentral|directus|actual-budget] [--name PATTERN]
//
// --name runs the tests whose names match, such as "go-oidc".

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../test/harness/command.ts';
import { ensureDebianPackages } from '../test/harness/debian-packages.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, name: { type: 'string' } } });
const here = join(root, 'test/clients/compatibility');
const python = '/usr/lib/python3/dist-packages';

const parts = {
  libraries: {
    install: () => {
      installPackages('libraries');
      installDebianPackages();
    },
    tests: ['guides.ts', 'libraries.ts', 'bridge.ts', 'browser.ts', 'node-red.ts'],
  },
  meshcentral: { install: () => installPackages('meshcentral'), tests: ['meshcentral.ts'] },
  directus: {
    install: () => installWithNode('directus', 'isolated-vm', 'out/isolated_vm.node'),
    tests: ['directus.ts'],
  },
  'actual-budget': {
    install: () => installWithNode('actual-budget', 'better-sqlite3', 'build/Release/better_sqlite3.node'),
    tests: ['actual-budget.ts'],
  },
};

const chosen = Object.entries(parts).filter(([name]) => values.only === undefined || values.only === name);
if (chosen.length === 0) fail(`--only is one of ${Object.keys(parts).join(', ')}`);
for (const [, { install }] of chosen) install();
const files = chosen.flatMap(([, { tests }]) => tests).map((name) => join(here, name));
const pattern = values.name === undefined ? [] : [`--test-name-pattern=${values.name}`];
// One after the other: some of them compile, and people don't wait forever at a sign-in.
const options = ['--test', '--test-concurrency=1', '--test-timeout=600000', ...pattern];
process.exitCode = spawnSync(process.execPath, [...options, ...files], { cwd: root, stdio: 'inherit' }).status ?? 1;

/**
 * Scripts of packages aren't run: what they would fetch comes with the packages, or isn't needed. `npm ci` would insist on
 * Next.js's compilers for other systems, which aren't in the lock file.
 */
function installPackages(name: string): void {
  const folder = join(here, name);
  const lockFile = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules/.package-lock.json');
  const wanted = JSON.parse(lockFile) as { packages: Record<string, { version?: string; optional?: true }> };
  if (existsSync(installed)) {
    const { packages } = JSON.parse(readFileSync(installed, 'utf8')) as typeof wanted;
    const isThere = ([path, { version, optional }]: [string, { version?: string; optional?: true }]) =>
      path === '' || optional === true || packages[path]?.version === version;
    if (Object.entries(wanted.packages).every(isThere)) return;
  }
  say(`Installing packages for ${name}. This takes some minutes the first time.`);
  const args = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  if (spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] }).status !== 0) fail('npm failed; see above');
}

/** Software that runs on the Node in its folder, and has a part that is compiled for it. */
function installWithNode(name: string, module: string, compiled: string): void {
  installPackages(name);
  const packages = join(here, name, 'node_modules');
  const headers = join(packages, `node/node_modules/node-linux-${process.arch}`);
  if (!existsSync(headers)) {
    const setup = [join(packages, 'node/installArchSpecificPackage.js')];
    const { status } = spawnSync(process.execPath, setup, { cwd: join(packages, 'node'), stdio: ['ignore', 2, 2] });
    if (status !== 0) fail(`the Node for ${name} could not be installed; see above`);
  }
  const folder = join(packages, module);
  const node = join(packages, 'node/bin/node');
  const loads = () => spawnSync(node, ['-e', 'require(process.argv[1])', join(folder, compiled)]).status === 0;
  if (loads()) return;
  say(`Compiling ${module} for ${name}. This takes some minutes.`);
  const build = [join(packages, 'node-gyp/bin/node-gyp.js'), 'rebuild', '--release', `--nodedir=${headers}`];
  // npm passes a person's own settings on as variables, and node-gyp prefers them: a nodedir would be another Node's.
  const variables = Object.entries(process.env).filter(([variable]) => !/^npm_/i.test(variable));
  const env = Object.fromEntries(variables);
  const { status, stdout } = spawnSync(node, build, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  if (status !== 0 || !loads()) fail(`${module} could not be compiled:\n${stdout}`);
}

function installDebianPackages(): void {
  const missing = ensureDebianPackages({
    'golang-go': '/usr/bin/go',
    'golang-golang-x-oauth2-dev': '/usr/share/gocode/src/golang.org/x/oauth2',
    'golang-github-coreos-go-oidc-dev': '/usr/share/gocode/src/github.com/coreos/go-oidc',
    'ruby-omniauth-oauth2': '/usr/share/doc/ruby-omniauth-oauth2',
    'ruby-omniauth-openid-connect': '/usr/share/doc/ruby-omniauth-openid-connect',
    'ruby-jwt': '/usr/share/doc/ruby-jwt',
    'ruby-sinatra': '/usr/share/doc/ruby-sinatra',
    puma: '/usr/bin/puma',
    'python3-authlib': `${python}/authlib`,
    'python3-flask': `${python}/flask`,
    'python3-requests': `${python}/requests`,
    'apache2-bin': '/usr/sbin/apache2',
    'libapache2-mod-auth-openidc': '/usr/lib/apache2/modules/mod_auth_openidc.so',
    'python3-django-allauth': `${python}/allauth`,
    'python3-social-auth-core': `${python}/social_core`,
    'python3-jose': `${python}/jose`,
    'python3-flask-dance': `${python}/flask_dance`,
    'python3-requests-oauthlib': `${python}/requests_oauthlib`,
    'libmojolicious-plugin-oauth2-perl': '/usr/share/perl5/Mojolicious/Plugin/OAuth2.pm',
  });
  if (missing !== undefined) fail(missing);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function fail(text: string): never {
  say(text);
  process.exit(1);
}
