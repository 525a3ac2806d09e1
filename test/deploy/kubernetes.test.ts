// deploy/kubernetes: every object fits the schemas that Kubernetes publishes and has no field that they don't know, and what
// the objects say about the service and each other is true. No cluster is needed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Service, ServiceAccount } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/platform/config.ts';
import { configVariables, fileVariable, secretsInFiles } from '../../src/platform/config-variables.ts';
import { messageOf } from '../../src/protocol/reading/caught-errors.ts';
import { root } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-kubernetes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const place = join(root, 'deploy/kubernetes');
const text = (file: string) => readFileSync(join(place, file), 'utf8');
const base = (file: string) => parse(text(`base/${file}`), { version: '1.1' });

const models = { ConfigMap, Deployment, Job, Namespace, NetworkPolicy, PodDisruptionBudget, Service, ServiceAccount };
const modules: Record<keyof typeof models, string> = {
  ConfigMap: 'v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  Namespace: 'v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'v1',
  ServiceAccount: 'v1',
};

interface KubernetesObject {
  readonly kind: keyof typeof models;
  readonly apiVersion: string;
}

/** What the schemas say is wrong: types, formats and missing fields by their validators, unknown fields by their types. */
function problemsIn(objects: readonly KubernetesObject[]): string[] {
  const invalid = objects.flatMap((object) => {
    try {
      const Model = models[object.kind] ?? assert.fail(`no schema for ${object.kind}`);
      assert.equal(object.apiVersion, Model.apiVersion);
      new Model(object as never).validate();
      return [];
    } catch (error) {
      return [`${object.kind}: ${messageOf(error)}`];
    }
  });
  const lines = objects.map(({ kind, ...object }, index) => {
    const type = `import('kubernetes-models/${modules[kind]}').I${kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify({ ...object, kind })};`;
  });
  const file = join(folder, 'objects.ts');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--types',
    '',
  ];
  const checked = spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, file], { cwd: folder, encoding: 'utf8' });
  return [...invalid, ...checked.stdout.split('\n').filter((line) => line.includes('error'))];
}

before(() => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});

const deployment = base('deployment.yaml');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const migration = base('migration.yaml').spec.template.spec;
const environment = Object.fromEntries(
  container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
);

describe('the manifests', () => {
  const files = ['base', 'example'].flatMap((part) =>
    readdirSync(join(place, part)).map((name) => ({ part, name, file: `${part}/${name}` })),
  );

  test('are exactly the files that the kustomizations list', () => {
    for (const part of ['base', 'example']) {
      const { resources, patches = [] } = parse(text(`${part}/kustomization.yaml`));
      const listed = [...resources, ...patches.map(({ path }: { path: string }) => path)];
      const found = files.filter((file) => file.part === part && file.name !== 'kustomization.yaml');
      assert.deepEqual(listed.filter((name) => name !== '../base').sort(), found.map(({ name }) => name).sort());
    }
  });

  test('match the published schemas, without unknown fields', () => {
    const names: string[] = parse(text('base/kustomization.yaml')).resources;
    assert.deepEqual(problemsIn([...names.map(base), parse(text('example/namespace.yaml'))]), []);
  });

  releaseTest('would fail with a wrong type, a missing field or a misspelled field', () => {
    const broken = (change: (copy: typeof deployment) => void) => {
      const copy = structuredClone(deployment);
      change(copy);
      return problemsIn([copy]).join('\n');
    };
    assert.match(
      broken((copy) => Object.assign(copy.spec, { replicas: 'two' })),
      /replicas/,
    );
    assert.match(
      broken((copy) => delete copy.spec.selector),
      /selector/,
    );
    const misspelled = { readOnlyRootFileSystem: true };
    assert.match(
      broken((copy) => Object.assign(copy.spec.template.spec.containers[0].securityContext, misspelled)),
      /readOnlyRootFileSystem/,
    );
  });

  const kustomize = spawnSync('kubectl', ['kustomize', join(place, 'example')], { encoding: 'utf8' });
  const skip = kustomize.error !== undefined && 'kubectl is not installed';
  releaseTest('build into valid manifests with the example overlay', { skip }, () => {
    assert.equal(kustomize.status, 0, kustomize.stderr);
    const objects = parseAllDocuments(kustomize.stdout).map((document) => document.toJS());
    assert.deepEqual(problemsIn(objects), []);
    const find = (kind: string) => objects.find((object) => object.kind === kind);
    const name = find('ConfigMap').metadata.name;
    const { replicas, template } = find('Deployment').spec;
    assert.equal(template.spec.containers[0].envFrom[0].configMapRef.name, name, 'a change of settings is rolled out');
    assert.equal(replicas, 3);
    assert.deepEqual(find('NetworkPolicy').spec.egress[1], {
      ports: [{ port: 5432, protocol: 'TCP' }],
      to: [{ ipBlock: { cidr: '10.20.0.0/24' } }],
    });
    for (const object of objects.filter(({ kind }) => kind !== 'Namespace')) {
      assert.equal(object.metadata.namespace, 'latchkey');
    }
  });

  test("are all applied by the guide's commands, with settings and namespace", () => {
    const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
    const applied = [...guide.matchAll(/kubectl.* apply (.*)$/gm)].map(([, options]) => options);
    assert.deepEqual(applied, ['-f deploy/kubernetes/example/namespace.yaml', '-k deploy/kubernetes/example']);
  });
});

describe('the manifests and the service', () => {
  test('only use existing settings, which the service accepts', () => {
    const known = [...Object.keys(configVariables), ...secretsInFiles.map(fileVariable)];
    const { configMapGenerator } = parse(text('example/kustomization.yaml'));
    const literals: string[] = configMapGenerator[0].literals;
    const settings = Object.fromEntries(literals.map((line) => line.split(/=(.*)/).slice(0, 2)));
    for (const name of [...Object.keys(environment), ...Object.keys(settings)]) assert.ok(known.includes(name), name);
    const secrets = Object.fromEntries(secretsInFiles.map((name) => [fileVariable(name), '']));
    const given = { ...settings, ...environment, ...secrets, LATCHKEY_SMTP_URL: 'smtp://mail.example' };
    const config = readConfig(given);
    assert.equal(config.baseUrl, 'https://login.example.com');
    assert.equal(config.drainSeconds, Number(environment.LATCHKEY_DRAIN_SECONDS));
  });

  test('read every secret from a file, none from the environment', () => {
    const { mountPath } = container.volumeMounts.find(({ name }: { name: string }) => name === 'secrets');
    const files = [...secretsInFiles.map(fileVariable), 'LATCHKEY_KEYS_FILE'];
    for (const name of files) assert.ok(environment[name].startsWith(`${mountPath}/`), name);
    const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
    for (const name of files)
      assert.ok(guide.includes(`--from-file=${environment[name].slice(mountPath.length + 1)}=`), name);
    for (const name of [...secretsInFiles, 'LATCHKEY_KEYS']) assert.ok(!(name in environment), name);
    assert.deepEqual(migration.containers[0].env, [
      { name: 'DATABASE_URL_FILE', value: environment.DATABASE_URL_FILE },
    ]);
  });

  test("use the image's ports and user", () => {
    const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
    const port = Number(/^ENV LATCHKEY_PORT=(\d+)$/m.exec(dockerfile)?.[1]);
    const user = Number(/^USER (\d+):\1$/m.exec(dockerfile)?.[1]);
    const ports = { http: port, metrics: Number(environment.LATCHKEY_METRICS_PORT) };
    const open = container.ports.map((one: { name: string; containerPort: number }) => [one.name, one.containerPort]);
    assert.deepEqual(Object.fromEntries(open), ports);
    const policy = base('network-policy.yaml').spec;
    const reachable = policy.ingress.flatMap((rule: { ports: { port: number }[] }) =>
      rule.ports.map((one) => one.port),
    );
    assert.deepEqual(reachable, Object.values(ports));
    for (const { securityContext } of [pod, migration]) {
      assert.deepEqual([securityContext.runAsUser, securityContext.fsGroup], [user, user]);
    }
    assert.equal(base('service.yaml').spec.ports[0].targetPort, 'http');
  });

  test('select the same pods everywhere', () => {
    const { labels } = deployment.spec.template.metadata;
    const selectors = [
      deployment.spec.selector.matchLabels,
      base('service.yaml').spec.selector,
      base('disruption-budget.yaml').spec.selector.matchLabels,
      ...pod.topologySpreadConstraints.map(
        (one: { labelSelector: { matchLabels: object } }) => one.labelSelector.matchLabels,
      ),
    ];
    for (const selector of selectors) assert.deepEqual(selector, labels);
    const all = base('network-policy.yaml').spec.podSelector.matchLabels;
    for (const [name, value] of Object.entries(all)) assert.equal(labels[name], value);
    assert.equal(
      base('migration.yaml').spec.template.metadata.labels['app.kubernetes.io/name'],
      all['app.kubernetes.io/name'],
    );
  });

  test('give an instance enough time to drain and exit', () => {
    const drain = Number(environment.LATCHKEY_DRAIN_SECONDS);
    const { periodSeconds, timeoutSeconds, failureThreshold } = container.readinessProbe;
    // Kubernetes notices while the service still serves, and doesn't kill it while it ends.
    assert.ok(failureThreshold * periodSeconds + timeoutSeconds < drain);
    assert.ok(pod.terminationGracePeriodSeconds >= drain + 5);
    assert.equal(container.readinessProbe.httpGet.path, '/readyz');
    for (const probe of ['startupProbe', 'livenessProbe']) assert.equal(container[probe].httpGet.path, '/healthz');
  });

  test('give pods no privileges and a read-only file system', () => {
    for (const { containers, securityContext, automountServiceAccountToken } of [pod, migration]) {
      assert.equal(automountServiceAccountToken, false);
      assert.deepEqual([securityContext.runAsNonRoot, securityContext.seccompProfile.type], [true, 'RuntimeDefault']);
      assert.deepEqual(containers[0].securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.ok(containers[0].resources.requests.cpu && containers[0].resources.limits.memory);
    }
  });
});
