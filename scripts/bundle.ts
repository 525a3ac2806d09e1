// Bundles the service and its commands for a release: a start loads a few files instead of a thousand. What looks for files
// next to a source file finds them where they are in the checkout, because the sources are in the release, too.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

/** Where the bundle is in a release; ./latchkey and the image look for it there. */
const folder = 'src/bundle';

/** The command line, what runs in threads of its own, and what is required by its file. */
const entries: Readonly<Record<string, string>> = {
  main: 'src/cli/start.ts',
  writer: 'src/storage/sqlite/writer.ts',
  'check-copy': 'src/storage/sqlite/check-copy.ts',
  'lock-probe': 'src/storage/sqlite/lock-probe.ts',
  'console-messages': 'src/pages/messages/console.ts',
  'bcrypt-thread': 'src/platform/passwords/foreign/bcrypt-thread.ts',
};

/** What is found as files, what the operator's SDK registers with, and what the framework would load for features that aren't used. */
const external = [
  '@simplewebauthn/server',
  '@opentelemetry/api',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
];

/** The files of the bundle by their path in the release. The same sources and packages give the same bytes. */
export async function bundle(root: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entries },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24.7',
    external,
    // The CommonJS packages among the bundled ones ask for Node's modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
    },
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    // node_modules may be elsewhere, and the bundle must not say where.
    preserveSymlinks: true,
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [ownFiles(root), withoutUnused],
  });
  const files = outputFiles.map(({ path, contents }): [string, Uint8Array] => [relative(root, path), contents]);
  return new Map([...files, [`${folder}/LICENSES.txt`, Buffer.from(licenses(root, metafile))]]);
}

/** `import.meta.url` of a source file stays the URL of that file, except where it starts an entry of the bundle. */
function ownFiles(root: string): Plugin {
  return {
    name: 'own files',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const place = relative(root, path);
        const text = readFileSync(path, 'utf8').replaceAll(
          /new URL\('([^']+)', import\.meta\.url\)|import\.meta\.url/g,
          (_, target?: string) => {
            if (target === undefined) return `new URL('${posix.relative(folder, place)}', import.meta.url).href`;
            const source = posix.join(dirname(place), target);
            const [entry] = Object.entries(entries).find(([, file]) => file === source) ?? [];
            // Joined and not relative: a folder keeps its slash.
            const found =
              entry === undefined ? posix.join(posix.relative(folder, dirname(place)), target) : `./${entry}.js`;
            return `new URL('${found}', import.meta.url)`;
          },
        );
        return { contents: text, loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

/** What Fastify loads at its start for features that aren't used: TLS and HTTP/2, 8 MB and 25 ms, and versions of plugins, 5 ms. */
const lateInFastify = [
  { file: 'server.js', names: { https: 'node:https', http2: 'node:http2' }, used: 'create' },
  { file: 'plugin-utils.js', names: { semver: 'semver' }, used: '' },
];

const withoutUnused: Plugin = {
  name: 'without what is unused',
  setup({ onLoad }) {
    for (const { file, names, used } of lateInFastify) {
      onLoad({ filter: new RegExp(`/fastify/lib/${file}$`) }, ({ path }) => {
        let contents = readFileSync(path, 'utf8');
        for (const [name, module] of Object.entries(names)) {
          const line = `const ${name} = require('${module}')\n`;
          if (!contents.includes(line))
            throw new Error(`${path} has another form: see whether it still loads ${name}.`);
          contents = contents.replace(line, '').replaceAll(`${name}.${used}`, `require('${module}').${used}`);
        }
        return { contents, loader: 'js' };
      });
    }
  },
};

/** What the licenses of the bundled packages require: their text, next to the code. */
function licenses(root: string, { outputs }: Metafile): string {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const bundled = inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
  // The icons are copied.
  const packages = new Set([...bundled, 'node_modules/heroicons']);
  const lock = readJson(join(root, 'package-lock.json')) as { packages: Record<string, { version: string }> };
  const texts = [...packages].sort().map((place) => {
    const { name, version, license } = readJson(join(root, place, 'package.json')) as Record<string, string>;
    const locked = lock.packages[place]?.version;
    if (version !== locked) throw new Error(`${place} is ${version} instead of ${locked}. Run "npm ci".`);
    const [file] = readdirSync(join(root, place))
      .filter((each) => /^licen[cs]e/i.test(each))
      .sort();
    const text = file === undefined ? `License: ${license}` : readFileSync(join(root, place, file), 'utf8').trim();
    return `${name} ${version}\n\n${text.replaceAll('\r\n', '\n')}\n`;
  });
  return `This folder contains code of these packages.\n\n${texts.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
