// The rules of the source tree: which folder may import which, no cycles, no storage calls in HTTP code, no operation that
// takes what it doesn't use, nothing too large to read in one go, and nothing that the compiler can't see. An exception is
// a decision, made here.

import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { test } from 'node:test';
import { root } from './harness/command.ts';

const storageInterface = 'storage/storage.ts';

/** For each folder: the folders, files, built-in modules and packages that it may import. */
const allowed: Record<string, { inside: string[]; builtIn: string[] | 'any'; packages: string[] }> = {
  protocol: { inside: ['protocol'], builtIn: ['node:crypto', 'node:zlib'], packages: [] },
  storage: {
    inside: ['protocol', 'storage'],
    builtIn: ['node:crypto', 'node:fs', 'node:sqlite', 'node:worker_threads'],
    packages: ['pg'],
  },
  operations: { inside: ['protocol', 'operations', storageInterface, 'platform (types)'], builtIn: [], packages: [] },
  pages: {
    inside: ['pages', 'protocol (types)'],
    builtIn: ['node:fs', 'node:module', 'node:url'],
    packages: ['qr', 'marked', 'highlight.js/lib/core', 'highlight.js/lib/languages'],
  },
  platform: {
    inside: ['platform', 'protocol'],
    builtIn: 'any',
    packages: [
      'bcryptjs',
      'nodemailer',
      '@opentelemetry/api',
      '@simplewebauthn/server',
      '@simplewebauthn/server/helpers',
      'openid-client',
    ],
  },
  http: {
    inside: [
      'http',
      'operations',
      'pages',
      'protocol',
      storageInterface,
      'platform/changes.ts',
      'platform/client-guides.ts',
      'platform/node-http.ts',
      'platform/passwords/passwords.ts',
      'platform/version.ts',
      'platform (types)',
    ],
    builtIn: [
      'node:child_process',
      'node:crypto',
      'node:fs',
      'node:http',
      'node:net',
      'node:stream',
      'node:timers/promises',
      'node:url',
    ],
    packages: ['fastify', '@fastify/proxy-addr', 'typebox', 'typebox/compile'],
  },
  // A process of its own, which shares no code with the service but rules and keys.
  gate: {
    inside: ['gate', 'platform', 'protocol'],
    builtIn: ['node:crypto', 'node:fs', 'node:http', 'node:net', 'node:path'],
    packages: [],
  },
  // A process of its own, too.
  bridge: {
    inside: ['bridge', 'platform', 'protocol'],
    builtIn: ['node:async_hooks', 'node:crypto', 'node:fs', 'node:http', 'node:path', 'node:util'],
    packages: ['oidc-provider'],
  },
  cli: {
    inside: ['bridge', 'cli', 'gate', 'http', 'operations', 'pages', 'platform', 'protocol', 'storage'],
    builtIn: 'any',
    packages: ['fastify (types)', 'csv-parse'],
  },
};

/** A file of src, by its path from there with forward slashes. */
interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const paths = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, 'src/').length).split(sep).join('/'));
const filesNamed = (name: RegExp): readonly SourceFile[] =>
  paths
    .filter((path) => name.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }));
const files = filesNamed(/\.ts$/);

function importsOf({ path, text }: SourceFile): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?([^;]*?)from\s+'([^']+)'/gm);
  const dynamic = text.matchAll(/\bimport\('([^']+)'\)/g);
  const resolved = (to: string) =>
    to.startsWith('.')
      ? normalize(join(dirname(path), to))
          .split(sep)
          .join('/')
      : to;
  return [
    ...[...statements].map(([, type, names = '', to = '']) => {
      // `import { type A, type B }` imports types alone, too.
      const bound = names
        .replace(/[{}\s]+/g, ' ')
        .trim()
        .split(/\s*,\s*/)
        .filter(Boolean);
      const typeOnly = type !== undefined || (bound.length > 0 && bound.every((name) => name.startsWith('type ')));
      return { from: path, to: resolved(to), typeOnly };
    }),
    ...[...dynamic].map(([, to = '']) => ({ from: path, to: resolved(to), typeOnly: false })),
  ];
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const rules = allowed[from.split('/')[0] ?? ''];
  if (rules === undefined) return false;
  if (to.startsWith('node:')) return rules.builtIn === 'any' || rules.builtIn.includes(to);
  if (/^[@a-z]/.test(to) && !to.includes('.ts')) {
    if (/^highlight\.js\/lib\/languages\/\w+$/.test(to)) return rules.packages.includes(dirname(to));
    return rules.packages.includes(to) || (typeOnly && rules.packages.includes(`${to} (types)`));
  }
  const folder = to.split('/')[0] ?? '';
  return (
    rules.inside.includes(folder) ||
    rules.inside.includes(to) ||
    (typeOnly && rules.inside.includes(`${folder} (types)`))
  );
}

test('imports only point in the allowed directions', () => {
  const wrong = files.flatMap(importsOf).filter((edge) => !isAllowed(edge));
  assert.deepEqual(
    wrong.map((edge) => `${edge.from} -> ${edge.to}`),
    [],
  );
});

test('the rule notices a forbidden edge', () => {
  assert.equal(isAllowed({ from: 'protocol/x.ts', to: 'storage/sql.ts', typeOnly: false }), false);
  assert.equal(isAllowed({ from: 'operations/x.ts', to: 'storage/sqlite.ts', typeOnly: true }), false);
  assert.equal(isAllowed({ from: 'operations/x.ts', to: 'platform/keys.ts', typeOnly: false }), false);
  assert.equal(isAllowed({ from: 'protocol/x.ts', to: 'node:fs', typeOnly: false }), false);
  assert.equal(isAllowed({ from: 'gate/x.ts', to: 'operations/x.ts', typeOnly: true }), false);
  assert.equal(isAllowed({ from: 'http/x.ts', to: 'gate/x.ts', typeOnly: true }), false);
  assert.equal(isAllowed({ from: 'gate/x.ts', to: 'bridge/x.ts', typeOnly: true }), false);
  assert.equal(isAllowed({ from: 'bridge/x.ts', to: 'gate/x.ts', typeOnly: true }), false);
  assert.equal(isAllowed({ from: 'http/x.ts', to: 'oidc-provider', typeOnly: true }), false);
  assert.ok(files.flatMap(importsOf).length > 100, 'imports are found');
});

/** The first cycle of imports, types included, as the files on it; undefined if there is none. */
function cycleIn(sources: readonly SourceFile[]): string[] | undefined {
  return cycleAmong(new Map(sources.map((file) => [file.path, importsOf(file).map(({ to }) => to)])));
}

function cycleAmong(targets: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] | undefined => {
    const start = trail.indexOf(path);
    if (start >= 0) return [...trail.slice(start), path];
    if (finished.has(path)) return undefined;
    for (const to of targets.get(path) ?? []) {
      const cycle = visit(to, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(path);
    return undefined;
  };
  for (const path of targets.keys()) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

test('no file imports itself by way of others', () => {
  assert.equal(cycleIn(files)?.join(' -> '), undefined);
});

test('the rule notices a cycle, including type imports and dynamic imports, and names its files', () => {
  const file = (path: string, text: string) => ({ path, text });
  const a = file('cli/a.ts', "import { b } from './inner/b.ts';\n");
  const c = file('cli/c.ts', "import { a } from './a.ts';\n");
  const b = (text: string) => file('cli/inner/b.ts', text);
  assert.equal(cycleIn([a, b(''), c]), undefined);
  for (const text of [
    "import { c } from '../c.ts';\n",
    "import type { C } from '../c.ts';\n",
    "import {\n  type C,\n} from '../c.ts';\n",
    "export { c } from '../c.ts';\n",
    "const { c } = await import('../c.ts');\n",
  ]) {
    assert.deepEqual(cycleIn([a, b(text), c]), ['cli/a.ts', 'cli/inner/b.ts', 'cli/c.ts', 'cli/a.ts'], text);
  }
  assert.deepEqual(cycleIn([file('cli/a.ts', "import { a } from './a.ts';\n")]), ['cli/a.ts', 'cli/a.ts']);
});

/** The first cycle among the folders of operations, and the files at its root, which all of them share. */
function folderCycleIn(sources: readonly SourceFile[]): string[] | undefined {
  const folderOf = (path: string) => (/^operations\/.+(?=\/)/.exec(path) ?? /^operations\/.+/.exec(path))?.[0];
  const targets = new Map<string, string[]>();
  for (const { from, to } of sources.flatMap(importsOf)) {
    const [source, target] = [folderOf(from), folderOf(to)];
    if (source === undefined || target === undefined || source === target) continue;
    targets.set(source, [...(targets.get(source) ?? []), target]);
  }
  return cycleAmong(targets);
}

test('no folder of operations imports itself by way of others', () => {
  assert.equal(folderCycleIn(files)?.join(' -> '), undefined);
});

test('the rule notices folders that import each other, even if their files do not', () => {
  const file = (path: string, to = '') => ({ path, text: to && `import type { A } from '${to}';\n` });
  const users = file('operations/users/a.ts', '../groups/b.ts');
  const inGroups = (to: string) => [users, file('operations/groups/c.ts', to)];
  assert.equal(folderCycleIn([users, file('operations/groups/b.ts')]), undefined);
  assert.deepEqual(folderCycleIn(inGroups('../users/d.ts')), [
    'operations/users',
    'operations/groups',
    'operations/users',
  ]);
  const mail = file('operations/mail/inner/e.ts', '../../users/d.ts');
  assert.deepEqual(folderCycleIn([...inGroups('../mail/inner/f.ts'), mail]), [
    'operations/users',
    'operations/groups',
    'operations/mail/inner',
    'operations/users',
  ]);
  const services = file('operations/services.ts', './users/d.ts');
  assert.deepEqual(folderCycleIn([...inGroups('../services.ts'), services]), [
    'operations/users',
    'operations/groups',
    'operations/services.ts',
    'operations/users',
  ]);
  assert.equal(folderCycleIn(inGroups('./b.ts')), undefined);
});

/** The lines of a file of HTTP code that reach into storage, however they get there. */
function storageCallsIn({ path, text }: SourceFile): string[] {
  if (!path.startsWith('http/')) return [];
  // Without comments, strings and imports: the types and errors of the storage contract may be named.
  const code = text
    .replace(/^(?:import|export)\s[^;]*?from\s+'[^']+';$/gm, '')
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
    .replace(/(?<!\[)'(?:[^'\\\n]|\\.)*'/g, "''");
  return code
    .split('\n')
    .filter((line) => /\bstorage\b/.test(line))
    .map((line) => `${path}: ${line.trim()}`);
}

test('HTTP code calls operations, never storage', () => {
  assert.deepEqual(files.flatMap(storageCallsIn), []);
});

test('the rule notices every access to storage, and nothing else', () => {
  const inHttp = (text: string) => storageCallsIn({ path: 'http/x/y.ts', text });
  for (const text of [
    'await services.storage.findUser(id);',
    'await context.services.storage\n  .findUser(id);',
    'const { storage } = services;',
    'const { clock, storage: store } = context.services;',
    "const store = services['storage'];",
    'function f({ storage }: Services) {}',
  ]) {
    assert.equal(inHttp(text).length, 1, text);
  }
  for (const text of [
    "import { StorageUnavailable } from '../src/storage/driver.ts';",
    "import type {\n  Client,\n  User,\n} from '../../storage/storage.ts';",
    '// The storage is asked elsewhere.\n/** By storage. */',
    "const problem = 'the storage is full';",
    'if (error instanceof StorageUnavailable) return;',
  ]) {
    assert.deepEqual(inHttp(text), [], text);
  }
  const text = 'await services.storage.isReachable();';
  assert.deepEqual(storageCallsIn({ path: 'operations/x.ts', text }), []);
});

/** What a file outside operations asks about one person: there, a caller could leave it out. */
function questionsOutside({ path, text }: SourceFile): string[] {
  if (path.startsWith('operations/')) return [];
  const asked = text.match(/\b(?:person|takeover|sessions|invited|identity)Refusal\b/g) ?? [];
  return asked.map((name) => `${path}: ${name}`);
}

test('only operations ask whether someone may change a person', () => {
  assert.deepEqual(files.flatMap(questionsOutside), []);
  const text = 'return personRefusal(requester, found.user) ?? found;';
  assert.equal(questionsOutside({ path: 'http/a.ts', text }).length, 1);
  assert.equal(questionsOutside({ path: 'operations/a.ts', text }).length, 0);
});

/** What decides about rights, from the row or route that names one. */
const decidesRights = [
  'protocol/admin/rights.ts',
  'operations/admin/authority.ts',
  'http/route-rights.ts',
  'http/api/define-operation.ts',
  'http/console/console-pages.ts',
];
const usesPattern = (text: string) => /\bRegExp\b|\.(?:test|exec|match|matchAll|search)\(/.test(text);

test('no regular expression decides about rights', () => {
  const deciding = files.filter(({ path }) => decidesRights.includes(path));
  assert.equal(deciding.length, decidesRights.length);
  for (const { path, text } of deciding) assert.equal(usesPattern(text), false, path);
  assert.ok(usesPattern('if (/^.admin.people/.test(path)) return;'));
});

/** Lengths of time that a file spells out. Pages may not import the constants, and write whole tables of them. */
function spelledTimesIn({ path, text }: SourceFile): string[] {
  if (path.startsWith('pages/') || path === 'protocol/durations.ts') return [];
  const spelled = text.match(/\b60 \* 1000\b|\b60_000\b|\b3_600_000\b|\bconst (?:SECOND|MINUTE|HOUR|DAY)\b/g) ?? [];
  return spelled.map((length) => `${path}: ${length}`);
}

test('a day, an hour and a minute are defined once', () => {
  assert.deepEqual(files.flatMap(spelledTimesIn), []);
  const inHttp = (text: string) => spelledTimesIn({ path: 'http/a.ts', text }).length;
  for (const text of ['const MINUTE = 60;', 'const period = 60_000;', 'const limit = 5 * 60 * 1000;']) {
    assert.equal(inHttp(text), 1, text);
  }
  assert.equal(inHttp('const limit = 5 * MINUTE;'), 0);
});

/** The lines of a file of operations that name all the services, rather than those which are used. */
function wholeServicesIn({ path, text }: SourceFile): string[] {
  // Rows hold functions of which each names what it uses.
  if (!path.startsWith('operations/') || path === 'operations/admin/subject.ts') return [];
  const code = text
    .replace(/^import type \{\s*\w+(?:,\s*\w+)*,?\s*\} from '[^']+';$/gm, '')
    .replace(/^export interface Services \{$/m, '')
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
    .replace(/\bPick<\s*Services,/g, '');
  return code
    .split('\n')
    .filter((line) => /\bServices\b/.test(line))
    .map((line) => `${path}: ${line.trim()}`);
}

test('operations take the services they use, never all of them', () => {
  assert.deepEqual(files.flatMap(wholeServicesIn), []);
});

test('the rule notices every way to take all services, and nothing else', () => {
  const inOperations = (text: string) => wholeServicesIn({ path: 'operations/x/y.ts', text });
  for (const text of [
    'export function f(services: Services, id: string) {}',
    'export async function f(\n  services: Services,\n) {}',
    'function f({ storage, clock }: Services) {}',
    'const f = ({ storage }: Services) => storage;',
    'class A {\n  readonly #services: Services;\n}',
    'type All = Readonly<Services>;',
    'type All = Pick<Services, keyof Services>;',
    "import type { Services as All } from '../src/operations/services.ts';",
  ]) {
    assert.equal(inOperations(text).length, 1, text);
  }
  for (const text of [
    "import type { Services } from '../src/operations/services.ts';",
    "import type { Recording, Services } from '../src/operations/services.ts';",
    "import type {\n  Mailing,\n  Services,\n} from '../services.ts';",
    "function f({ storage }: Pick<Services, 'storage'>) {}",
    "type MailServices = Pick<\n  Services,\n  | 'emailQueue'\n  | 'emailsFor'\n>;",
    '// Services are constructed elsewhere.\n/** All Services. */',
  ]) {
    assert.deepEqual(inOperations(text), [], text);
  }
  const text = 'function f(services: Services) {}';
  assert.deepEqual(wholeServicesIn({ path: 'http/x.ts', text }), []);
  const inServices = (more: string) =>
    wholeServicesIn({ path: 'operations/services.ts', text: `export interface Services {\n}\n${more}` });
  assert.deepEqual(inServices("export type Storing = Pick<Services, 'storage'>;"), []);
  assert.equal(inServices('export type All = Services;').length, 1);
});

const lineLimit = 400;

function tooLong(sources: readonly SourceFile[]): string[] {
  return sources
    .filter(({ path }) => !/^pages\/(languages|messages)\//.test(path))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > lineLimit)
    .map(({ path, lines }) => `${path}: ${lines} lines`);
}

test('no source file, stylesheet or script is longer than 400 lines, apart from the message catalogues', () => {
  assert.deepEqual(tooLong(filesNamed(/\.(ts|css|js)$/)), []);
});

test('the rule notices a long file', () => {
  const lines = (count: number) => 'line\n'.repeat(count);
  assert.deepEqual(tooLong([{ path: 'http/a.ts', text: lines(400) }]), []);
  assert.deepEqual(tooLong([{ path: 'http/a.ts', text: lines(401) }]), ['http/a.ts: 401 lines']);
  assert.deepEqual(tooLong([{ path: 'pages/messages/a.ts', text: lines(900) }]), []);
});

test('the bridge stays small enough to be read at once: at most 2,500 lines', () => {
  const bridge = files.filter(({ path }) => path.startsWith('bridge/'));
  const lines = bridge.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);
  assert.ok(lines > 1000 && lines <= 2500, `${lines}`);
});

test('what is only read together is in one file: few are as short as 30 lines', () => {
  const short = files.filter(
    ({ path, text }) => !path.startsWith('pages/languages/') && text.trimEnd().split('\n').length <= 30,
  );
  assert.ok(short.length <= 60, `${short.length}: ${short.map(({ path }) => path).join(', ')}`);
});

/**
 * Literals that are spread into another literal or a call. The compiler doesn't check their members for misspellings,
 * which it does for members that are written plainly. What a method makes of a literal is something else.
 */
function spreadLiteralsIn({ path, text }: SourceFile): string[] {
  return Array.from(text.matchAll(/\.\.\.\(?([{[])/g), (found) => {
    const open = found.index + found[0].length - 1;
    const end = closingOf(text, open);
    const rest = text.slice(end + 1);
    const isLiteral = found[0].includes('(') ? /^ as const\)(?!\s*[.?])/.test(rest) : !/^\s*[.?]/.test(rest);
    return isLiteral ? [`${path}: ${text.slice(found.index, end + 1)}`] : [];
  }).flat();
}

/** Where the bracket at `open` is closed. Brackets in strings come in pairs, too, or the rule would complain. */
function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if ('([{'.includes(text.charAt(index))) depth++;
    if (')]}'.includes(text.charAt(index)) && --depth === 0) return index;
  }
  return text.length;
}

const everySource = ['src', 'test', 'scripts', 'bench', 'faults', 'histories', 'cluster', 'examples']
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`, { cwd: root, exclude: (name) => name === 'node_modules' }))
  .filter((path) => !path.startsWith(join('test', 'clients')) && path !== join('test', 'architecture.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

test('the compiler knows what is given: no cast says that nothing is missing', () => {
  const cast = everySource.filter(({ text }) => /\bas Required\b/.test(text));
  assert.deepEqual(
    cast.map(({ path }) => path),
    [],
  );
});

test('no literal is spread into another', () => {
  assert.ok(everySource.length > 900, 'sources are found');
  assert.deepEqual(everySource.flatMap(spreadLiteralsIn), []);
});

test('the rule notices spread literals in every form', () => {
  const found = (text: string) => spreadLiteralsIn({ path: 'a.ts', text }).length;
  for (const text of [
    'f({ ...{ a, b: [1, 2] }, c })',
    'f({\n  ...{\n    a,\n  },\n})',
    "[...['a', 'b'], c]",
    "[...(['a'] as const)]",
    "{ ...({ kind: 'x' } as const) }",
    'f(...[a, b])',
  ]) {
    assert.equal(found(text), 1, text);
  }
  for (const text of [
    '{ ...(a && { b }) }',
    '{ ...(a ? { b } : {}) }',
    '[...[1, 2].map(double)]',
    '[...[...all]\n  .sort()]',
    '{ ...given }',
  ]) {
    assert.equal(found(text), 0, text);
  }
});

test('only the two drivers know which engine is in use', () => {
  for (const { path, text } of files) {
    // The configuration has to name what it is about; the command line chooses and explains. Gate and bridge have a file of their own.
    if (
      /^storage\/(sqlite|postgres)/.test(path) ||
      /^(cli|platform\/config|protocol\/reading\/database-url|gate\/session-file\.ts|platform\/relying-party\/database\.ts)/.test(
        path,
      )
    )
      continue;
    assert.equal(/sqlite|postgres/i.test(text), false, path);
  }
});

test('storage never offers a transaction with an await inside', () => {
  for (const { path, text } of files) assert.equal(/transaction\(async/.test(text), false, path);
});

/** The statements that set it, what reads the records that it's part of, and where another service's hash comes in. */
const mayTakeHash =
  /^(platform\/passwords\/|storage\/users\/credentials-sql\.ts|storage\/records\.ts|protocol\/import\/|protocol\/sign-in\/hash-sources\/)/;
const hashParameters = ({ path, text }: { path: string; text: string }) =>
  mayTakeHash.test(path)
    ? []
    : (text.match(/(?<!readonly )\b(?:password|current|checked)Hash\??: string|\bpassword(?:Mark|Digest)\b/g) ?? []);

test('nothing but what sets it takes the hash of a password: a generation says that nothing has changed', () => {
  assert.deepEqual(files.flatMap(hashParameters), []);
});

test('the rule notices a hash that is handed on, and a mark made of one', () => {
  const found = (text: string) => hashParameters({ path: 'operations/a.ts', text }).length;
  assert.equal(found('prove(session: Session, passwordHash: string)'), 1);
  assert.equal(found('prove(session: Session, currentHash?: string)'), 1);
  assert.equal(found('{ passwordMark: digestOf(user.passwordHash) }'), 1);
  assert.equal(found('hasPassword(user)'), 0);
});
