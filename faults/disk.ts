// A small ext4 file system of its own, in a file that is mounted through a loop device: it can be filled up, and it can
// lose power. Needs root.

import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, messageOf } from '../src/protocol/reading/caught-errors.ts';

const megabyte = 1024 * 1024;

/** Why no disk can be made here; undefined when it can. */
export function diskUnavailable(): string | undefined {
  if (process.getuid?.() !== 0) return 'mounting a small disk needs root';
  const missing = ['mkfs.ext4', 'e2fsck', 'mount', 'umount', 'perl'].filter((tool) => {
    return spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0;
  });
  if (missing.length > 0) return `${missing.join(', ')} cannot be found`;
  const disk = new SmallDisk();
  try {
    disk.mount();
    return undefined;
  } catch (error) {
    return `no loop device can be mounted (${messageOf(error)})`;
  } finally {
    disk.remove();
  }
}

export class SmallDisk {
  readonly #folder = mkdtempSync(join(tmpdir(), 'latchkey-disk-'));
  readonly #image = join(this.#folder, 'image');
  readonly #mountPoint = join(this.#folder, 'disk');
  readonly #filler = join(this.#mountPoint, 'filler');
  readonly #removeAtExit = () => this.remove();
  #mounted = false;

  constructor(megabytes = 48) {
    process.once('exit', this.#removeAtExit);
    mkdirSync(this.#mountPoint);
    writeFileSync(this.#image, '');
    truncateSync(this.#image, megabytes * megabyte);
    // No blocks are kept back for root, who would otherwise never see a full disk.
    command('mkfs.ext4', '-q', '-F', '-m', '0', '-b', '4096', this.#image);
  }

  /** A folder for data on the disk. */
  get data(): string {
    return join(this.#mountPoint, 'data');
  }

  mount(): void {
    command('mount', '-o', 'loop,errors=remount-ro', this.#image, this.#mountPoint);
    this.#mounted = true;
    mkdirSync(this.data, { recursive: true, mode: 0o700 });
  }

  /** Takes what room there is. Only once nothing else is written is the disk full in the end. */
  fill(): void {
    for (let size = megabyte; size >= 1; size = Math.floor(size / 2)) {
      const bytes = Buffer.alloc(size);
      while (append(this.#filler, bytes));
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  /** From now on nothing more reaches the disk, as if the power had been cut: not even what the journal still holds. */
  cutPower(): void {
    // EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH.
    const script =
      'open my $disk, "<", $ARGV[0] or die $!; my $flags = pack "L", 2; ioctl $disk, 0x8004587d, $flags or die $!';
    command('perl', '-e', script, this.#mountPoint);
  }

  /** Mounts the disk again, which replays its journal, and returns what e2fsck found before and after that. */
  restorePower(): string[] {
    this.unmount();
    this.mount();
    this.unmount();
    const check = spawnSync('e2fsck', ['-f', '-n', this.#image], { encoding: 'utf8' });
    this.mount();
    return check.status === 0 ? [] : [`e2fsck: ${check.stdout.trim().replaceAll('\n', '; ')}`];
  }

  unmount(): void {
    if (!this.#mounted) return;
    command('umount', this.#mountPoint);
    this.#mounted = false;
  }

  remove(): void {
    process.off('exit', this.#removeAtExit);
    // Lazily, because a process that should have ended may still use it.
    if (this.#mounted) spawnSync('umount', ['-l', this.#mountPoint]);
    this.#mounted = false;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A new disk for this work alone. */
export async function onDisk<Result>(work: (disk: SmallDisk) => Promise<Result>): Promise<Result> {
  const disk = new SmallDisk();
  try {
    disk.mount();
    return await work(disk);
  } finally {
    disk.remove();
  }
}

function append(file: string, bytes: Buffer): boolean {
  try {
    appendFileSync(file, bytes);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOSPC') return false;
    throw error;
  }
}

function command(name: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(name, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${error?.message ?? stderr.trim()}`);
}
