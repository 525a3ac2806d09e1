// The metrics of what a service is composed of: its store, its passwords, its journal, and which build it is.

import type { Journal } from '../../operations/journal/journal.ts';
import { noteChange } from '../../platform/changes.ts';
import type { MetricRegistry } from '../../platform/metrics/registry.ts';
import type { Passwords } from '../../platform/passwords/passwords.ts';
import { ownVersion } from '../../platform/version.ts';
import { type Driver, type DriverObserver, retryReasons } from '../../storage/driver.ts';
import { OutcomeUnknown, StorageConflict, StorageUnavailable } from '../../storage/storage.ts';

/** From a write to an SSD to a database that is about to time out. */
const tripBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const sizeBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500];

const operations = ['read', 'write'] as const;
const labels = { operation: operations };
type Operation = (typeof operations)[number];

export type StoreMeters = ReturnType<typeof storeMeters>;

export function storeMeters(registry: MetricRegistry) {
  const requests = registry.counter(
    'latchkey_storage_operations_total',
    'Reads and writes that were asked of the store.',
    labels,
  );
  const errors = registry.counter('latchkey_storage_errors_total', 'Reads and writes that failed.', {
    operation: operations,
    error: ['unavailable', 'outcome_unknown', 'conflict', 'fault'],
  });
  const sizes = registry.histogram(
    'latchkey_storage_batch_size',
    'How many reads or writes shared a trip to the store. The embedded store reads without one.',
    sizeBounds,
    labels,
  );
  const trips = registry.histogram(
    'latchkey_storage_trip_duration_seconds',
    'How long a trip to the store took.',
    tripBounds,
    labels,
  );
  const retries = registry.counter('latchkey_storage_retries_total', 'What had to be sent to the store again.', {
    reason: retryReasons,
  });
  // Looked up once: every request asks the store.
  const placesOf = (operation: Operation) => ({
    request: requests.placeOf({ operation }),
    size: sizes.placeOf({ operation }),
    trip: trips.placeOf({ operation }),
  });
  const places = { read: placesOf('read'), write: placesOf('write') };
  const observer: DriverObserver = {
    batch(operation, size, milliseconds) {
      sizes.observeAt(places[operation].size, size);
      trips.observeAt(places[operation].trip, milliseconds / 1000);
    },
    retried: (reason, times) => retries.add({ reason }, times),
    changed: noteChange,
  };
  return {
    observer,
    asked: (operation: Operation) => requests.addAt(places[operation].request),
    failed: (operation: Operation, error: unknown) => errors.add({ operation, error: errorName(error) }),
  };
}

function errorName(error: unknown) {
  if (error instanceof OutcomeUnknown) return 'outcome_unknown';
  if (error instanceof StorageUnavailable) return 'unavailable';
  return error instanceof StorageConflict ? 'conflict' : 'fault';
}

/** What is looked up at a scrape. */
export function watchLoad(
  registry: MetricRegistry,
  { driver, passwords, journal }: { driver: Driver; passwords: Passwords; journal: Journal },
): void {
  const queue = registry.gauge('latchkey_storage_queue_length', 'Reads and writes that wait for the store.', labels);
  const connections = registry.gauge('latchkey_storage_connections', 'Connections to PostgreSQL.', {
    state: ['in_use', 'idle'],
  });
  const most = registry.gauge('latchkey_storage_connections_max', 'The most connections to PostgreSQL.');
  const waiting = registry.gauge('latchkey_storage_connections_waiting', 'Statements that wait for a connection.');
  const passwordQueue = registry.gauge('latchkey_password_queue_length', 'Passwords that wait to be checked.');
  const passwordsRunning = registry.gauge('latchkey_passwords_running', 'Passwords that are being checked.');
  const journalQueue = registry.gauge('latchkey_journal_queue_length', 'Events that wait to be written.');
  const suppressed = registry.counter(
    'latchkey_journal_suppressed_events_total',
    'Events that were only counted, because there were too many of them.',
  );
  registry.onCollect(() => {
    const load = driver.load();
    queue.set({ operation: 'read' }, load.waitingReads);
    queue.set({ operation: 'write' }, load.waitingWrites);
    const pool = load.connections ?? { most: 0, open: 0, idle: 0, waiting: 0 };
    connections.set({ state: 'in_use' }, pool.open - pool.idle);
    connections.set({ state: 'idle' }, pool.idle);
    most.set({}, pool.most);
    waiting.set({}, pool.waiting);
    const { running, waiting: unchecked } = passwords.load();
    passwordsRunning.set({}, running);
    passwordQueue.set({}, unchecked);
    const noted = journal.load();
    journalQueue.set({}, noted.queued);
    suppressed.set({}, noted.suppressed);
  });
}

export function nameBuild(registry: MetricRegistry, store: 'sqlite' | 'postgresql'): void {
  const version = ownVersion();
  const labels = { version: [version], node_version: [process.version], store: [store] };
  const info = registry.maximum('latchkey_build_info', 'Always 1; the labels say what is running.', labels);
  info.set({ version, node_version: process.version, store }, 1);
}
