// `latchkey serve`: runs the service, with warnings about what an operator usually forgets.

import cluster from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import { setUpState } from '../../operations/users/set-up-link.ts';
import { type Config, type Environment, proxyProblem, readConfig } from '../../platform/config.ts';
import { type ConfigVariable, configVariables, fileVariable, secretsInFiles } from '../../platform/config-variables.ts';
import { commandRequester } from '../command.ts';
import { type RunningService, type StartOptions, startService } from '../compose.ts';
import { defineCommand } from '../frame/define.ts';
import { summaries } from '../summaries.ts';
import { print } from '../terminal/output.ts';
import { setUpSentence } from '../users/set-up-sentence.ts';
import {
  exitByDeadline,
  exitSoon,
  explainListenErrors,
  type StopSignals,
  stopSignals,
  workerReady,
} from './process.ts';
import { signUpSource } from './sign-up-source.ts';

export const serve = defineCommand({
  summary: summaries.serve,
  details: 'Configure it with environment variables. Defaults are in parentheses.',
  sections: [{ heading: 'Environment', entries: variableEntries() }],
  examples: [
    'latchkey serve',
    'LATCHKEY_BASE_URL=https://login.example.com LATCHKEY_PORT=8455 LATCHKEY_TRUST_PROXY=127.0.0.1 latchkey serve',
  ],
  async run({ environment }) {
    const config = readConfig(environment);
    // From the beginning, so that a signal that arrives during the start still stops the service cleanly.
    const signals = stopSignals();
    signals.first.then(() => exitByDeadline(config.drainSeconds));
    if (config.workers > 1 && cluster.isPrimary) {
      const { serveWithWorkers } = await import('./workers.ts');
      return serveWithWorkers(config, signals);
    }
    try {
      await serveUntilStopped(config, environment, signals);
    } finally {
      // The channel to the primary process would keep this one alive.
      process.channel?.unref();
    }
    exitSoon();
  },
});

async function serveUntilStopped(config: Config, environment: Environment, signals: StopSignals): Promise<void> {
  const options = cluster.isWorker ? await workerOptions() : {};
  const service = await explainListenErrors(config, () => startService(config, options));
  const { log } = service.app;
  process.send?.(workerReady);
  log.info(`Latchkey is running at ${config.baseUrl}`);
  // One of several workers is enough. Printed and not logged, because it is only for the operator.
  if (cluster.isPrimary || cluster.worker?.id === 1) {
    await printSetUpLink(service).catch((error: Error) => {
      log.warn({ err: error }, 'no setup link could be created; run "latchkey setup-link"');
    });
  }
  if (config.baseUrl.startsWith('https:') && config.trustProxy.length === 0) {
    log.warn(
      "LATCHKEY_TRUST_PROXY is not set. Behind a proxy, everyone shares the proxy's IP address, and one person's failed " +
        'sign-ins can lock everyone out for a while. Set it to the IP address of the proxy.',
    );
  }
  const proxies = proxyProblem(config.trustProxy);
  if (proxies !== undefined) log.warn(proxies);
  if (config.email.kind === 'none') {
    log.warn("LATCHKEY_SMTP_URL is not set. Sign-up, password reset and email address changes aren't available.");
  }
  const signUp = await signUpSource(service.services.storage, config, environment).catch(() => undefined);
  if (signUp?.conflict !== undefined) log.warn(signUp.conflict);
  if (config.databaseUrl !== undefined && config.keys === undefined && environment.LATCHKEY_KEYS_FILE === undefined) {
    log.warn(
      `All instances on one database need the same keys, but this one uses its own (${config.keysFile}). Set ` +
        'LATCHKEY_KEYS or LATCHKEY_KEYS_FILE before you start a second instance.',
    );
  }
  const signal = await signals.first;
  // SIGINT is Ctrl-C: there's no load balancer in front of a terminal.
  if (signal === 'SIGTERM' && config.drainSeconds > 0) {
    service.drain();
    log.info(
      `${signal}: reporting not ready for ${config.drainSeconds} s so that load balancers stop sending requests`,
    );
    await Promise.race([setTimeout(config.drainSeconds * 1000, undefined, { ref: false }), signals.second]);
  }
  log.info(`${signal}: finishing requests in flight`);
  await service.stop();
}

/** A worker leaves writing to the embedded store, serving the metrics and speaking for the instance to the primary process. */
async function workerOptions(): Promise<StartOptions> {
  const { writerOfPrimary } = await import('./shared-writer.ts');
  const { answerPrimary } = await import('./metrics.ts');
  const { instanceOfPrimary } = await import('./instance.ts');
  return { startWriter: writerOfPrimary, serveMetrics: answerPrimary, joinInstance: instanceOfPrimary };
}

async function printSetUpLink({ services, app }: RunningService): Promise<void> {
  const state = await setUpState(services, commandRequester());
  if (state.kind === 'no_administrator') {
    app.log.warn('There is no administrator. Run "latchkey setup-link" for a link to create one.');
  }
  if (state.kind === 'empty') print(`\n${setUpSentence(state.url)}\n`);
}

/** The environment variables with their defaults. */
function variableEntries(): (readonly [name: string, about: string])[] {
  return Object.entries<ConfigVariable>(configVariables).flatMap(([name, { summary, standard, fallback }]) => [
    [name, `${summary} (${standard ?? fallback})`.replaceAll('`', '')] as const,
    ...(secretsInFiles.includes(name)
      ? [[fileVariable(name), `the file that contains it, instead of ${name}`] as const]
      : []),
  ]);
}
