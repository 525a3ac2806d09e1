// Two instances behind HAProxy are restarted one after the other under load.

import { ensureDebianPackages } from '../test/harness/debian-packages.ts';
import { haproxy, rollingRestart } from '../test/harness/rolling-restart.ts';
import { type Experiment, times } from './experiment.ts';

export const rollingRestarts: Experiment = {
  name: 'rolling-restart',
  title: 'Rolling restart behind HAProxy',
  unavailable: () => ensureDebianPackages({ haproxy, openssl: '/usr/bin/openssl' }),
  run: async ({ scale }) => {
    const { requests, lost, seconds } = await rollingRestart(times(20_000, scale));
    return {
      done: `two instances restarted, 12 connections, ${seconds.toFixed(0)} s`,
      checks: { requests },
      broken: lost,
    };
  },
};
