// What maintainers rely on besides the code: commit subjects, the changelog, and the workflows that run the tests.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { root } from './harness/command.ts';

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { version, scripts, engines } = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
  engines: { node: string };
};

/** The last commit before subjects had to name their area. */
const beforeTheRule = '3c80653';

test('a commit subject names its area and has at most 72 characters', () => {
  const log = spawnSync('git', ['log', '--no-merges', '--format=%s', `${beforeTheRule}..HEAD`], {
    cwd: root,
    encoding: 'utf8',
  });
  // An archive or a shallow clone has no history to look at.
  if (log.status !== 0) return;
  for (const subject of log.stdout.trim().split('\n')) {
    assert.match(subject, /^[a-z][a-z0-9 ,/-]*: \S/, subject);
    assert.ok(subject.length <= 72, `${subject.length} characters: ${subject}`);
  }
});

test('no file in the repository is larger than a megabyte', () => {
  const tree = spawnSync('git', ['ls-tree', '-r', '--long', 'HEAD'], { cwd: root, encoding: 'utf8' });
  if (tree.status !== 0) return;
  const files = tree.stdout.trim().split('\n');
  const large = files.filter((line) => Number(line.split(/\s+/)[3]) > 1_048_576);
  assert.deepEqual(large, []);
});

describe('the changelog', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## \[([^\]]+)\]/gm)].map(([, name]) => name);

  test('lists unreleased changes first, then every version down to 0.1.0', () => {
    assert.equal(headings[0], 'Unreleased');
    assert.equal(headings.at(-1), '0.1.0');
  });

  test('has a section for the version only in the commit that releases it', () => {
    const [next = '', ...dev] = version.split('-dev');
    if (dev.length > 0)
      return assert.ok(!headings.includes(next), `${next} is released: package.json needs the next version`);
    assert.equal(headings[1], version);
    const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%s'], { cwd: root, encoding: 'utf8' });
    if (status === 0) assert.equal(stdout, `release: ${version}\n`, 'package.json needs the next version, with -dev');
  });

  test('groups changes under the headings of Keep a Changelog', () => {
    const kinds = [...read('CHANGELOG.md').matchAll(/^### (.+)$/gm)].map(([, kind]) => kind ?? '');
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    for (const kind of kinds) assert.ok(known.includes(kind), kind);
  });
});

test('package.json has the scripts that maintainers use', () => {
  for (const name of [
    'start',
    'test',
    'test:release',
    'test:fast',
    'coverage',
    'lint',
    'typecheck',
    'format',
    'screenshots',
    'bench',
  ]) {
    assert.ok(name in scripts, name);
  }
});

for (const [file, command] of [
  ['test', 'npm test'],
  ['nightly', 'npm run test:release'],
] as const) {
  test(`${file}.yml runs ${command} on the matrix's Node, and on every major version that engines allows`, () => {
    const workflow = read(`.github/workflows/${file}.yml`);
    assert.ok(workflow.includes(`run: ${command}\n`));
    assert.match(workflow, /LATCHKEY_NODE: system/);
    assert.match(workflow, /node: \[24, 26\]/);
    assert.equal(engines.node, '>=24.7.0');
  });
}

describe('workflows', () => {
  const workflows = globSync('.github/workflows/*', { cwd: root });
  interface Step {
    readonly name?: string;
    readonly uses?: string;
    readonly run?: string;
  }
  const steps = (file: string): readonly Step[] =>
    Object.values<{ steps: Step[] }>(parse(read(file)).jobs).flatMap((job) => job.steps);

  test('use no actions, and put no expression into a script', () => {
    assert.notEqual(workflows.length, 0);
    for (const file of workflows) {
      for (const { uses, run } of steps(file)) {
        assert.equal(uses, undefined, file);
        assert.doesNotMatch(run ?? '', /\$\{\{/, file);
      }
    }
  });

  test('check out the commit with its history', () => {
    const scripts = workflows.map((file) => steps(file).find(({ name }) => name === 'Check out')?.run ?? '');
    assert.equal(new Set(scripts).size, 1);
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-workflow-'));
    try {
      const git = (...args: string[]) => {
        const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', '-c', 'commit.gpgsign=false'];
        const { status, stdout, stderr } = spawnSync('git', [...author, ...args], { cwd: folder, encoding: 'utf8' });
        assert.equal(status, 0, stderr);
        return stdout.trim();
      };
      git('init', '--quiet', 'owner/repository');
      const commits = ['first', 'second', 'third'].map((name) => {
        git('-C', 'owner/repository', 'commit', '--quiet', '--allow-empty', '-m', name);
        return git('-C', 'owner/repository', 'rev-parse', 'HEAD');
      });
      mkdirSync(join(folder, 'runner'));
      const [, second = ''] = commits;
      const environment = { GITHUB_SERVER_URL: folder, GITHUB_REPOSITORY: 'owner/repository', GITHUB_SHA: second };
      const { status, stderr } = spawnSync('bash', ['-e', '-c', scripts[0] ?? ''], {
        cwd: join(folder, 'runner'),
        env: { ...process.env, ...environment },
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      assert.equal(git('-C', 'runner', 'rev-parse', 'HEAD'), second);
      assert.equal(git('-C', 'runner', 'log', '--format=%s'), 'second\nfirst');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('keep the results of the benchmark on a branch, the first ones too', () => {
    const script = steps('.github/workflows/bench.yml').find(({ name }) => name === 'Keep the results')?.run ?? '';
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-workflow-'));
    try {
      const repository = join(folder, 'owner/repository');
      const git = (...args: string[]) => spawnSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).stdout;
      spawnSync('git', ['init', '--quiet', '--bare', repository]);
      for (const results of ['{"run":1}', '{"run":2}']) {
        const runner = mkdtempSync(join(folder, 'runner-'));
        const environment = { GITHUB_SERVER_URL: folder, GITHUB_REPOSITORY: 'owner/repository', GITHUB_SHA: 'abc' };
        const { status, stderr } = spawnSync('bash', ['-e', '-c', script], {
          cwd: runner,
          env: { ...process.env, ...environment, RESULTS: results },
          encoding: 'utf8',
        });
        assert.equal(status, 0, stderr);
        assert.equal(git('show', 'bench-results:results.json'), `${results}\n`);
      }
      assert.equal(git('rev-list', '--count', 'bench-results'), '2\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the release workflow, which no test can run,', () => {
  const text = read('.github/workflows/release.yml');
  const { on, permissions, jobs } = parse(text);
  const { if: condition, permissions: rights, steps } = jobs.release;
  const names: readonly string[] = steps.map(({ name }: { name: string }) => name);

  test('says that it is linted only', () => {
    assert.match(text, /^# .*\n# .*No test runs this/);
    assert.match(read('CONTRIBUTING.md'), /No test can run it/);
  });

  test('is started by hand on the main branch, and has the rights that it needs and no others', () => {
    assert.deepEqual(
      [on, permissions, Object.keys(jobs)],
      [{ workflow_dispatch: null }, { contents: 'read' }, ['release']],
    );
    assert.equal(condition, "github.ref == 'refs/heads/main'");
    assert.deepEqual(rights, { contents: 'write', packages: 'write', 'id-token': 'write' });
  });

  test('has scripts that a shell can read, whose programs are in the repository', () => {
    for (const { name, run } of steps) {
      assert.equal(spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' }).stderr, '', name);
      // The runner's own Node may be older than what packages need.
      assert.doesNotMatch(run, /^\s*node /m, name);
      for (const [, file = ''] of run.matchAll(/(scripts\/[\w-]+\.ts)/g)) assert.ok(existsSync(join(root, file)), file);
      for (const [, script = ''] of run.matchAll(/npm run ([\w:]+)/g)) assert.ok(script in scripts, script);
    }
  });

  test('publishes nothing before it has tested, built twice and checked the base image, and signs before it tags', () => {
    const order = ['Take the version', 'Test', 'Check the base image', 'Build', 'Build again elsewhere'];
    assert.deepEqual(names, ['Check out', ...order, 'Publish the image', 'Sign the checksums', 'Tag and publish']);
    const run = (name: string): string => steps.find((step: { name: string }) => step.name === name).run;
    assert.match(run('Publish the image'), /containerimage\.digest[\s\S]*SHA256SUMS/);
    assert.match(run('Sign the checksums'), /npm ci .*--ignore-scripts/);
    assert.match(run('Tag and publish'), /gh release create "v\$VERSION" .*--target "\$GITHUB_SHA"/);
    const locked = JSON.parse(read('.github/sign/package-lock.json')).packages;
    for (const [name, { integrity }] of Object.entries<{ integrity?: string }>(locked))
      assert.ok(name === '' || integrity, name);
  });
});

test('the nightly workflow asks for known vulnerabilities of what a release installs', () => {
  assert.match(read('.github/workflows/nightly.yml'), /^ {6}- run: npm audit --omit=dev$/m);
});

test('SECURITY.md says which versions get fixes, and for how long', () => {
  const [, section = ''] = /^## Supported versions\n([\s\S]*?)^## /m.exec(read('SECURITY.md')) ?? [];
  assert.match(section, /90 days/);
  assert.match(section, /none: upgrade/);
});

test('the nightly workflow runs every night, and a release is tested with all tests', () => {
  assert.match(read('.github/workflows/nightly.yml'), /schedule:\n +- cron: '\d+ \d+ \* \* \*'/);
  assert.match(read('CONTRIBUTING.md'), /^2\. Run `npm run test:release/m);
});

test('LATCHKEY_NODE=system makes the scripts use the Node that started them', () => {
  const nodeOf = (environment: Record<string, string>) => {
    const program = "import('./scripts/prepare.js').then(({ projectNode }) => console.log(projectNode()))";
    const { stdout } = spawnSync(process.execPath, ['-e', program], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, LATCHKEY_NODE: '', ...environment },
    });
    return stdout.trim();
  };
  assert.equal(nodeOf({ LATCHKEY_NODE: 'system' }), process.execPath);
  assert.equal(nodeOf({}), join(root, 'node_modules/node/bin/node'));
});

test('the templates and the dependency updates are where GitHub looks for them', () => {
  const files = ['ISSUE_TEMPLATE/bug.yml', 'ISSUE_TEMPLATE/feature.yml', 'pull_request_template.md', 'dependabot.yml'];
  for (const file of files) assert.ok(existsSync(join(root, '.github', file)), file);
  assert.ok(existsSync(join(root, '.editorconfig')));
});
