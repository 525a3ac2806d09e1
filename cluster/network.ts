// A network of its own for a cluster on one machine: each node is a network namespace with one address, and all of them
// hang on a bridge in a further one. This machine itself joins with one address, to send requests. Needs root.

import { spawnSync } from 'node:child_process';

/** The addresses in deploy/cluster begin with this. */
const subnet = '10.66.77';

export interface Node {
  readonly name: string;
  readonly address: string;
  /** The name of its network namespace. */
  readonly namespace: string;
}

export class Network {
  /** Short, because the name of an interface has at most 15 characters. */
  readonly #prefix = `lk${process.pid}`;
  readonly #bridge = `${this.#prefix}-net`;
  readonly #nodes: Node[] = [];

  constructor() {
    if (run('ip', '-4', 'addr').includes(`inet ${subnet}.`))
      throw new Error(`${subnet}.0/24 is in use on this machine`);
    run('ip', 'netns', 'add', this.#bridge);
    this.#inside(this.#bridge, 'link', 'add', 'br0', 'type', 'bridge');
    this.#inside(this.#bridge, 'link', 'set', 'br0', 'up');
    const own = `${this.#prefix}h`;
    run('ip', 'link', 'add', own, 'type', 'veth', 'peer', 'name', 'host', 'netns', this.#bridge);
    this.#plug('host');
    run('ip', 'addr', 'add', `${subnet}.1/24`, 'dev', own);
    run('ip', 'link', 'set', own, 'up');
  }

  add(name: string, number: number): Node {
    const node = { name, address: `${subnet}.${number}`, namespace: `${this.#prefix}-${name}` };
    run('ip', 'netns', 'add', node.namespace);
    this.#nodes.push(node);
    this.#inside(node.namespace, 'link', 'set', 'lo', 'up');
    this.#inside(node.namespace, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', name, 'netns', this.#bridge);
    this.#plug(name);
    this.#inside(node.namespace, 'addr', 'add', `${node.address}/24`, 'dev', 'eth0');
    this.#inside(node.namespace, 'link', 'set', 'eth0', 'up');
    return node;
  }

  /** Pulls the node's cable: nothing gets in or out, and nobody is told. */
  cut({ name }: Node): void {
    this.#inside(this.#bridge, 'link', 'set', name, 'nomaster');
  }

  join({ name }: Node): void {
    this.#inside(this.#bridge, 'link', 'set', name, 'master', 'br0');
  }

  /** Ends whatever still runs on a node, and takes the network away. Only what was started there is there. */
  remove(): void {
    for (const { namespace } of this.#nodes) {
      for (const id of processesIn(namespace)) signal(id, 'SIGKILL');
    }
    for (const { namespace } of this.#nodes) spawnSync('ip', ['netns', 'del', namespace]);
    spawnSync('ip', ['link', 'del', `${this.#prefix}h`]);
    spawnSync('ip', ['netns', 'del', this.#bridge]);
  }

  #plug(name: string): void {
    this.#inside(this.#bridge, 'link', 'set', name, 'master', 'br0');
    this.#inside(this.#bridge, 'link', 'set', name, 'up');
  }

  #inside(namespace: string, ...args: string[]): void {
    run('ip', '-n', namespace, ...args);
  }
}

/** Everything that runs on a node. */
function processesIn(namespace: string): number[] {
  const { stdout } = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
}

export function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch {
    // It has ended meanwhile.
  }
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr.trim()}`);
  return stdout;
}
