// `latchkey bridge keys`: works on the bridge's data, whether or not the bridge is running.

import { existsSync } from 'node:fs';
import type { BridgeConfig } from '../../bridge/config-file.ts';
import { bridgeKeys, databaseFile, openBridgeDatabase } from '../../bridge/database.ts';
import { openKeyStore, type SigningKey } from '../../bridge/key-store.ts';
import { systemClock } from '../../platform/clock.ts';
import { readKeyFile } from '../../platform/key-file.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { CommandFailed, UsageError } from '../command.ts';
import type { Said } from '../frame/define.ts';
import { shownTime } from '../terminal/times.ts';

export async function signingKeys(action: string, { dataDir, keyFile, applications }: BridgeConfig): Promise<Said> {
  if (action !== 'list' && action !== 'rotate') throw new UsageError('the action is list or rotate');
  // What root creates here, the bridge couldn't write to.
  if (!existsSync(databaseFile(dataDir))) {
    if (action === 'list') return said([]);
    throw new CommandFailed('there are no keys yet. The bridge creates them when it first starts.');
  }
  const database = openBridgeDatabase(dataDir);
  try {
    const store = openKeyStore(database, bridgeKeys(readKeyFile(keyFile)[0]), () => systemClock.now());
    const added = action === 'list' ? [] : await store.rotate(new Set(applications.map(({ signing }) => signing)));
    const [first] = added;
    const text =
      first &&
      `\n${added.map(({ kid }) => kid).join(', ')} will sign from ${shownTime(first.signsFrom)}. What it replaces stays published for another 30 days.`;
    return { ...said(store.list()), text };
  } finally {
    database.close();
  }
}

function said(keys: readonly SigningKey[]): Said {
  return {
    json: keys.map(({ kid, algorithm, state, signsFrom, publishedUntil }) => ({
      kid,
      algorithm,
      state,
      signs_from: isoTime(signsFrom),
      published_until: publishedUntil === undefined ? null : isoTime(publishedUntil),
    })),
    table: [
      ['KEY', 'ALGORITHM', 'STATE', 'SIGNS FROM', 'PUBLISHED UNTIL'],
      ...keys.map(({ kid, algorithm, state, signsFrom, publishedUntil }) => {
        const until = publishedUntil === undefined ? '' : shownTime(publishedUntil);
        return [kid, algorithm, state, shownTime(signsFrom), until];
      }),
    ],
    none: 'No keys yet. The bridge creates them when it first starts.',
  };
}
