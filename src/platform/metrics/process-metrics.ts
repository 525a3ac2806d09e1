// Metrics of the process: CPU, memory, files and event loop delay.

import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { MetricRegistry } from './registry.ts';

/** Milliseconds between two measurements of the event loop; each wakes up an idle process. */
const lookEvery = 100;
const delayBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Starts to measure, and returns a function that stops it. */
export function measureProcess(registry: MetricRegistry): () => void {
  const cpu = registry.counter('process_cpu_seconds_total', 'CPU time used, of all processes and threads.');
  const memory = registry.gauge('process_resident_memory_bytes', 'Memory in use, of all processes.');
  const heap = registry.gauge('nodejs_heap_used_bytes', 'Memory in use by JavaScript objects, of all processes.');
  const files = registry.gauge('process_open_fds', 'Open files and sockets, of all processes.');
  const fileLimit = registry.maximum('process_max_fds', 'The most files and sockets that a process may have open.');
  const started = registry.maximum('process_start_time_seconds', 'When the newest process started, in Unix time.');
  const processes = registry.gauge('latchkey_processes', 'How many processes these metrics are from.');
  const active = registry.counter(
    'latchkey_event_loop_active_seconds_total',
    'Time in which event loops were busy, of all processes.',
  );
  const delay = registry.histogram(
    'latchkey_event_loop_delay_seconds',
    `How late the event loop was, looked at every ${lookEvery} ms.`,
    delayBounds,
  );

  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    delay.observe({}, Math.max(0, now - last - lookEvery) / 1000);
    last = now;
  }, lookEvery);
  timer.unref();
  const openFilesLimit = readFileLimit();
  registry.onCollect(() => {
    const { user, system } = process.cpuUsage();
    cpu.set({}, (user + system) / 1e6);
    const { rss, heapUsed } = process.memoryUsage();
    memory.set({}, rss);
    heap.set({}, heapUsed);
    files.set({}, countOpenFiles());
    fileLimit.set({}, openFilesLimit);
    started.set({}, performance.timeOrigin / 1000);
    processes.set({}, 1);
    active.set({}, performance.eventLoopUtilization().active / 1000);
  });
  return () => clearInterval(timer);
}

/** Without /proc, the number of open files is unknown. */
function countOpenFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

function readFileLimit(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
