// What goes on besides people who use applications while something is broken, all at the same time: accounts are created and
// imported, webhooks report it, a directory pushes people, people sign in with an identity provider or a code by email, they sign
// out and applications are told, and keys are rotated. Remembers what the service has acknowledged, and finds out afterwards
// whether it still knows, and whether everyone who had to be told was.

import { composeServices } from '../src/cli/compose.ts';
import { keysEvery } from '../src/cli/service/background.ts';
import { createApiKey } from '../src/operations/api-keys/api-keys.ts';
import { createScimToken } from '../src/operations/scim/scim-tokens.ts';
import { changeSettings } from '../src/operations/settings/change-settings.ts';
import { createUpstream } from '../src/operations/upstreams/upstreams.ts';
import { createWebhook } from '../src/operations/webhooks/endpoints.ts';
import { readConfig } from '../src/platform/config.ts';
import { keyId } from '../src/platform/keys.ts';
import { runCommand } from '../test/harness/command.ts';
import type { WorkBeside } from '../test/harness/killed-under-load.ts';
import type { Ledger } from '../test/harness/ledger.ts';
import type { Served } from '../test/harness/served.ts';
import { requester } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { keysIn } from './embedded-store.ts';
import type { Outside } from './outside.ts';
import { accountMessages, CreatedAccounts, ImportedAccounts } from './work/accounts.ts';
import { EmailCodes } from './work/email-codes.ts';
import { Logouts } from './work/logouts.ts';
import { Pushes } from './work/pushes.ts';
import { UpstreamSessions } from './work/sessions.ts';
import { done, repeat, Site, upstreamName, type Work } from './work/work.ts';

/** The keys are rotated in the first of so many rounds. */
const rotateEvery = 10;
/** Seconds. A process that was killed counts as running for thirty, and a new key waits for it. */
const keyUseAllowed = 60;

export class OtherWork implements WorkBeside {
  readonly #served: Served;
  readonly site: Site;
  readonly logouts: Logouts;
  readonly #codes: EmailCodes;
  readonly #works: readonly Work[];
  readonly #rotates: boolean;
  #keys: readonly string[];
  #rounds = 0;
  /** The kinds of work of which nothing was acknowledged in this round. */
  readonly #idle = new Set<Work>();
  #rotations = 0;
  readonly #wrong: string[] = [];

  private constructor(served: Served, site: Site, scimToken: string, outside: Outside, rotates: boolean) {
    const { mail, webhook, application } = outside;
    this.#served = served;
    this.site = site;
    this.logouts = new Logouts(site, application);
    this.#codes = new EmailCodes(site, mail);
    this.#works = [
      new CreatedAccounts(site, webhook.received),
      new ImportedAccounts(site, webhook.received),
      new UpstreamSessions(site),
      new Pushes(served.service, scimToken),
      this.#codes,
      this.logouts,
    ];
    this.#rotates = rotates;
    this.#keys = keysIn(served.environment.LATCHKEY_DATA_DIR ?? '');
  }

  /**
   * Before the service starts, which has to have the settings of what is outside. Without `rotates`, the keys are rotated only when
   * `rotateKeys` is called.
   */
  static async prepare(served: Served, outside: Outside, { rotates = true } = {}): Promise<OtherWork> {
    const { provider } = outside;
    const { services, close } = await composeServices(readConfig(served.environment));
    try {
      const { issuer, clientId, secret } = provider;
      const upstream = { name: upstreamName, label: 'Company', issuer, clientId, secret };
      const trusting = { trustedDomains: ['people.example'], createsAccounts: true };
      const directory = { source: 'company', name: 'Company' };
      const apiKey = done(
        await createApiKey(services, { name: 'Key', permission: 'administrator', days: undefined }, requester),
      );
      const scimToken = done(await createScimToken(services, directory, requester));
      done(await createUpstream(services, { ...upstream, ...trusting }, requester));
      done(await createWebhook(services, { url: outside.webhookUrl, types: accountMessages }, requester));
      done(await changeSettings(services, { email_codes: 'everyone' }, requester));
      const site = new Site(served.service, apiKey.secret, provider);
      return new OtherWork(served, site, scimToken.secret, outside, rotates);
    } finally {
      await close();
    }
  }

  /** How much of everything was checked. */
  get checks(): Readonly<Record<string, number>> {
    return Object.assign({}, ...this.#works.map(({ checks }) => checks), { 'key rotations': this.#rotations });
  }

  async load(ended: () => boolean): Promise<void> {
    const rotation = this.#rotates && this.#rounds++ % rotateEvery === 0 ? this.rotateKeys() : undefined;
    this.#idle.clear();
    for (const work of this.#works) this.#idle.add(work);
    const wrong = (line: string) => this.#wrong.push(line);
    await Promise.all([
      rotation,
      ...this.#works.map((work) => repeat(work, ended, () => this.#idle.delete(work), wrong)),
    ]);
  }

  /** And a code by email is being sent: nothing else shows whether that survives. */
  isUnderWay(): boolean {
    return this.#idle.size === 0 && this.#codes.isSending;
  }

  /** Once the command has ended, there is one more key, and the others are what they were. */
  async rotateKeys(): Promise<void> {
    const { environment } = this.#served;
    const { status, stderr } = await runCommand(['keys', 'rotate'], environment);
    const now = keysIn(environment.LATCHKEY_DATA_DIR ?? '');
    if (status !== 0) this.#wrong.push(`keys rotate: ${stderr.trim()}`);
    else if (now.slice(1).join() !== this.#keys.join()) this.#wrong.push('keys rotate changed the old keys');
    else this.#rotations++;
    this.#keys = now;
  }

  /** What the service has forgotten of what it acknowledged since the last check; with `all`, ever. */
  async check(all = false): Promise<string[]> {
    const lost = this.#wrong.splice(0);
    for (const work of this.#works) lost.push(...(await work.check(all)));
    if (keysIn(this.#served.environment.LATCHKEY_DATA_DIR ?? '').join() !== this.#keys.join()) {
      lost.push('the key file has changed');
    }
    return lost;
  }

  /** Everything once more, from before and after the newest key came into use, and whether everyone was told of everything. */
  async finish(ledger: Ledger): Promise<string[]> {
    const arrivals = Promise.all(this.#works.map((work) => work.finish?.() ?? []));
    const lost: string[] = [];
    const note = (error: Error) => lost.push(error.message);
    await until(() => this.#isNewestKeyUsed(), 'the newest key is in use', keyUseAllowed).catch(note);
    const { grants } = ledger;
    await ledger.load(() => ledger.grants > grants);
    await Promise.all(this.#works.map((work) => work.once(() => false))).catch(note);
    lost.push(...(await ledger.checkTokens()), ...(await this.check(true)), ...(await arrivals).flat());
    if (lost.length > 0) return lost;
    // And of what came last.
    return (await Promise.all(this.#works.map((work) => work.finish?.() ?? []))).flat();
  }

  /** By all processes: they look every few seconds. */
  async #isNewestKeyUsed(): Promise<boolean> {
    const { services, close } = await composeServices(readConfig(this.#served.environment));
    try {
      const records = await services.storage.listServiceKeys();
      const newest = records.find(({ id }) => id === keyId(this.#keys[0] ?? ''));
      return newest !== undefined && newest.firstUsedAt + keysEvery < Date.now();
    } finally {
      await close();
    }
  }
}
