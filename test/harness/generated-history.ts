// What applications, people and administrators might do, one thing after the other, to services in lockstep. Which it is,
// follows from a seed; what was issued is used later, rightly or wrongly.

import { removeApp } from '../../src/operations/account/your-apps.ts';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { rotateClientSecret, updateClient } from '../../src/operations/clients/clients.ts';
import { restoreClient, revokeClient } from '../../src/operations/clients/revoke-client.ts';
import { currentSession } from '../../src/operations/sessions/sessions.ts';
import { disableUser, enableUser } from '../../src/operations/users/disable-user.ts';
import type { GroupReference } from '../../src/protocol/oauth/application-claims.ts';
import type { Scope } from '../../src/protocol/oauth/scope.ts';
import { generatedClaims, moveTo, newGroup, newUserWith, setClaims } from './claims.ts';
import { Generator, type Pairs } from './generated-requests.ts';
import type { Answer, Lockstep } from './lockstep.ts';
import { Person } from './person.ts';
import { setPolicy } from './policy.ts';
import { authorizePath, challengeOf, decodeJwt } from './relying-party.ts';
import { requester, type TestClient, type TestService, type TestUser } from './service.ts';

interface App extends TestClient {
  readonly secrets: string[];
}

interface Member extends TestUser {
  /** As a browser sends them. */
  cookies: ReadonlyMap<string, string>;
}

interface Issued {
  readonly app: App;
  readonly code: string;
  readonly verifier: string;
}

const scopes = [
  'openid profile email',
  'openid',
  'email profile',
  'openid  email',
  'profile',
  '',
  'phone',
  'openid address',
];
/** Of two people, with what JSON quotes and what it doesn't. */
const attributes = [{ department: 'Sales "\n\u2028', level: 5, vip: false, teams: ['b', '漢字', ''] }, {}];
const addresses = ['127.0.0.1', '203.0.113.9', '2001:db8::1', 'junk', ''];
const sessionCookie = 'latchkey_session';
/** `{"alg":"HS256","typ":"at+jwt"}` */
const accessTokenStart = 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.';

export class History {
  readonly #all: Lockstep;
  readonly #generator: Generator;
  readonly #apps: App[] = [];
  readonly #people: Member[] = [];
  readonly #codes: Issued[] = [];
  readonly #used = new Set<string>();
  readonly #tokens: string[] = ['lkr_x.y', 'a.b.c', ''];
  readonly #groups: GroupReference[] = [];
  readonly #undoing: (() => Promise<unknown>)[] = [];
  /** How often each status was answered, by path, to know that what is generated reaches them. */
  readonly answers = new Map<string, number>();

  constructor(all: Lockstep, seed: string) {
    this.#all = all;
    this.#generator = new Generator(seed);
  }

  /** Applications of each kind, and people who are signed in and have approved them. */
  async begin(): Promise<void> {
    const kinds = [
      {},
      {
        redirectUris: ['https://app.example/cb?tenant=a%20b', 'http://127.0.0.1/cb'],
        scopes: ['openid', 'email'] as Scope[],
      },
      { isPublic: true, redirectUris: ['https://app.example/spa'] },
      { isPublic: true },
    ];
    for (const [index, kind] of kinds.entries()) {
      const app = await this.#all.each('create a client', (service) =>
        service.newClient({ ...kind, name: `App ${index}` }),
      );
      this.#apps.push({ ...app, secrets: app.secret === '' ? [] : [app.secret] });
    }
    for (const [index, name] of ['Grace "Amazing" Hopper', 'Łukasz \u2028 漢字'].entries()) {
      const user = await this.#all.each('create a user', async (service) => {
        const facts = { email: `person-${index}@example.test`, name, locale: index === 0 ? '' : 'de' };
        const created = await newUserWith(service, attributes[index] ?? {}, facts);
        return { ...created, record: { ...created.record, passwordHash: '' } };
      });
      this.#people.push({ ...user, cookies: new Map() });
    }
    for (const name of ['staff', 'Éclair "1"', '\u{10330}', '\uff21']) {
      this.#groups.push(
        await this.#all.each('create a group', (service) => newGroup(service, name, ...this.#people.slice(0, 1))),
      );
    }
    for (const app of this.#apps.slice(0, 3)) await this.#setClaims(app, true);
    for (const member of this.#people) for (const app of this.#apps) await this.#approve(member, app);
  }

  async #setClaims(app: App, all = false): Promise<void> {
    const generator = this.#generator;
    const possible = generatedClaims(generator, this.#groups);
    const some = generator.onceIn(4) ? [] : possible.filter(() => generator.onceIn(2));
    await this.#all.each('set claims', (service) => setClaims(service, app.id, all ? possible : some));
  }

  async #joinOrLeave(member: Member): Promise<void> {
    const [group, how] = [this.#generator.pick(this.#groups), this.#generator.pick(['add', 'remove'] as const)];
    await this.#all.each(`${how} a member`, (service) => moveTo(service, group.id, [member], how));
  }

  /** Signs in if that's needed, and approves. */
  async #approve(member: Member, app: App): Promise<void> {
    const verifier = this.#generator.word();
    const visited = await this.#all.each('sign in and approve', async (service) => {
      const person = new Person(service);
      for (const [name, value] of member.cookies) person.cookies.set(name, value);
      const path = authorizePath(app, verifier, { scope: undefined });
      const location = await person.authorize(path, member).catch((error: Error) => error.message.slice(0, 40));
      return { location: String(location), cookies: person.cookies };
    });
    member.cookies = visited.cookies;
    this.#keepCode(app, verifier, visited.location);
  }

  #keepCode(app: App, verifier: string, location: string): void {
    const code = /[?&]code=([^&]+)/.exec(location)?.[1];
    if (code !== undefined) this.#codes.push({ app, code: decodeURIComponent(code), verifier });
  }

  /** One thing that happens. */
  async step(): Promise<void> {
    const generator = this.#generator;
    if (this.#undoing.length > 0 && generator.onceIn(8)) {
      await this.#undoing.shift()?.();
      this.#rereadSettings();
    }
    const number = generator.below(100);
    if (number < 25) await this.#authorize();
    else if (number < 50) await this.#exchange();
    else if (number < 65) await this.#refresh();
    else if (number < 80) await this.#askForClaims();
    else if (number < 88) await this.#revoke();
    else if (number < 94) this.#all.clock.advance(generator.pick([0.001, 1, 1, 9, 11, 61, generator.pick([1, 899])]));
    else await this.#administer();
  }

  /** From now on the services finish what they have, and let go of connections. */
  async drain(): Promise<void> {
    await this.#all.each('drain', async (service) => service.running.drain());
    this.#generator.connection = 'keep-alive';
  }

  /** Sends a request, and counts its answer. */
  async #send(path: string, text: string): Promise<Answer> {
    const answer = await this.#all.send(text);
    this.#count(`${path} ${answer.status}`);
    return answer;
  }

  #count(key: string): void {
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
  }

  async #authorize(): Promise<void> {
    const generator = this.#generator;
    const choose = <Item>(items: readonly Item[]) => generator.pick(items);
    const [app, member] = [choose(this.#apps), choose(this.#people)];
    const verifier = generator.word();
    const usual: Pairs = [
      ['response_type', 'code'],
      ['client_id', app.id],
      [
        'redirect_uri',
        generator.onceIn(10) ? choose(['http://127.0.0.1:4711/cb', 'https://evil.example/']) : app.redirectUri,
      ],
      ['code_challenge', challengeOf(verifier)],
      ['code_challenge_method', 'S256'],
    ];
    const more: Pairs = [
      ['scope', choose(scopes)],
      ['state', choose(['s', 'ü&=', '"'])],
      ['nonce', choose(['n', '\u2028"\\', '漢'])],
      ['prompt', choose(['none', 'none', 'login', 'consent', 'select_account', 'none login', 'junk'])],
      ['max_age', choose(['0', '1', '100000', '-1', 'x'])],
      ['login_hint', 'somebody@example.test'],
      ['ui_locales', choose(['de', 'fr en', 'x'])],
      ['acr_values', choose(['1', '2', 'x'])],
      ['id_token_hint', choose(this.#tokens)],
    ];
    const pairs = [...usual, ...more.filter(() => generator.onceIn(4))];
    const query = generator.encoded(generator.onceIn(3) ? generator.parameters(pairs) : generator.shuffled(pairs));
    // What isn't allowed in a request line would end the connection.
    const target = `/oauth-authorize?${query}`.replaceAll(/[^\x21-\x7e]/g, '%20');
    const long = generator.onceIn(40) ? `&x=${'x'.repeat(choose([8000, 9000]))}` : '';
    const headers = [...this.#cookieHeaders(member), ...this.#oddHeaders()];
    const method = generator.onceIn(10) ? choose(['HEAD', 'POST', 'PUT', 'OPTIONS']) : 'GET';
    const body = generator.onceIn(20) ? choose(['Content-Length: 0', 'Transfer-Encoding: chunked']) : undefined;
    const text = generator.get(target + long, body === undefined ? headers : [...headers, body], method);
    const answer = await this.#send('/oauth-authorize', body?.startsWith('T') ? `${text}1\r\nx\r\n0\r\n\r\n` : text);
    this.#keepCode(app, verifier, answer.headers.find((line) => line.startsWith('location: ')) ?? '');
  }

  #cookieHeaders({ cookies }: Member): string[] {
    const generator = this.#generator;
    const session = cookies.get(sessionCookie) ?? '';
    const right = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (!generator.onceIn(6)) return [`Cookie: ${right}`];
    return generator.pick([
      [],
      [`Cookie: ${sessionCookie}=${generator.word()}`],
      [`Cookie: ${sessionCookie}=; ${right}`],
      [`Cookie: ${sessionCookie}=${generator.word()}; ${right}`],
      [`Cookie: ${right};${sessionCookie}=${generator.word()}`],
      [`Cookie: x=1;; ;${sessionCookie} =${session}; ${sessionCookie}="${session}"`],
      ['Cookie: a=b', `Cookie: ${right}`],
      [`Cookie: ${sessionCookie.toUpperCase()}=${session}`],
      [`Cookie: ${sessionCookie}=${session}`],
    ]);
  }

  #oddHeaders(): string[] {
    const generator = this.#generator;
    return [
      ['Origin: https://elsewhere.example', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'],
      [`X-Forwarded-For: ${generator.pick(addresses)}, ${generator.pick(addresses)}`],
      ['User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
      [`traceparent: 00-${Buffer.from(generator.word()).toString('hex').slice(0, 32)}-00f067aa0ba902b7-01`],
      ['traceparent: junk'],
      ['Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      ['Accept-Language: fr'],
      ['X-Request-Id: chosen-elsewhere'],
    ]
      .filter(() => generator.onceIn(8))
      .flat();
  }

  /** Its secret, or another one that was its own once, or none. */
  #credentials(app: App): Pairs {
    const generator = this.#generator;
    const id = generator.onceIn(15) ? generator.pick(['nobody', '__proto__', this.#apps[0]?.id ?? '']) : app.id;
    const known = generator.onceIn(4) ? generator.pick(['wrong', ...app.secrets]) : app.secrets.at(-1);
    return known === undefined
      ? [['client_id', id]]
      : [
          ['client_id', id],
          ['client_secret', known],
        ];
  }

  async #post(path: string, pairs: Pairs): Promise<Answer> {
    const generator = this.#generator;
    const basic = Buffer.from(`${generator.pick(this.#apps).id}:secret`).toString('base64');
    const authorization = generator.pick([`Basic ${basic}`, 'basic', `Basic ${generator.word()}`, 'Bearer x']);
    const headers = generator.onceIn(15) ? [`Authorization: ${authorization}`] : [];
    const sent = generator.onceIn(3) ? generator.parameters(pairs) : generator.shuffled(pairs);
    const answer = await this.#send(path, generator.post(path, sent, [...headers, ...this.#oddHeaders()]));
    if (answer.status === 200 && answer.body.startsWith('{"access_token"')) {
      const { access_token, refresh_token = '', id_token } = JSON.parse(answer.body);
      this.#tokens.push(access_token, refresh_token, id_token);
      if (decodeJwt(id_token).admin !== undefined) this.#count('/oauth/token with claims');
      if (this.#tokens.length > 60) this.#tokens.splice(3, 9);
    }
    return answer;
  }

  async #exchange(): Promise<void> {
    const generator = this.#generator;
    // The latest most of the time: others have been used, or have expired.
    const unused = generator.onceIn(5) ? undefined : this.#codes.findLast(({ code }) => !this.#used.has(code));
    const issued = unused ?? generator.pick(this.#codes);
    const answer = await this.#post('/oauth/token', [
      ['grant_type', generator.onceIn(20) ? 'password' : 'authorization_code'],
      ['code', generator.onceIn(15) ? generator.damaged(issued.code) : issued.code],
      ['redirect_uri', generator.onceIn(15) ? generator.pick(this.#apps).redirectUri : issued.app.redirectUri],
      ['code_verifier', generator.onceIn(8) ? generator.pick([generator.word(), 'short']) : issued.verifier],
      ...this.#credentials(generator.onceIn(10) ? generator.pick(this.#apps) : issued.app),
    ]);
    if (answer.status === 200) this.#used.add(issued.code);
  }

  async #refresh(): Promise<void> {
    const generator = this.#generator;
    const pairs: Pairs = [
      ['grant_type', 'refresh_token'],
      ['refresh_token', this.#token('lkr_')],
      ...this.#credentials(this.#apps[generator.onceIn(3) ? 1 : 0] as App),
    ];
    await this.#post('/oauth/token', generator.onceIn(3) ? [...pairs, ['scope', generator.pick(scopes)]] : pairs);
  }

  async #revoke(): Promise<void> {
    const generator = this.#generator;
    const hint: Pairs = generator.onceIn(3) ? [['token_type_hint', generator.pick(['access_token', 'x'])]] : [];
    const pairs: Pairs = [['token', this.#token(generator.onceIn(2) ? 'lkr_' : accessTokenStart)], ...hint];
    await this.#post('/oauth/revoke', [...pairs, ...this.#credentials(generator.pick(this.#apps))]);
  }

  /** One that begins like this, if there is one: the latest most of the time, and damaged now and then. */
  #token(start: string): string {
    const generator = this.#generator;
    const [latest = '', ...others] = this.#tokens.filter((each) => each.startsWith(start)).reverse();
    const token = generator.onceIn(3) ? generator.pick([...others, ...this.#tokens.slice(0, 3)]) : latest;
    return generator.onceIn(15) ? generator.damaged(token) : token;
  }

  async #askForClaims(): Promise<void> {
    const generator = this.#generator;
    const token = this.#token(generator.onceIn(6) ? 'ey' : accessTokenStart).replaceAll(/[^\x21-\x7e]/g, '');
    const scheme = generator.pick(['Bearer ', 'Bearer ', 'bearer ', 'BEARER   ', 'Bearer', 'Basic ', 'Bearer\t', '']);
    const authorization = generator.onceIn(20) ? [] : [`Authorization: ${scheme}${token}`];
    const method = generator.onceIn(15) ? generator.pick(['HEAD', 'POST', 'OPTIONS', 'DELETE']) : 'GET';
    const path = `/oauth/userinfo${generator.onceIn(15) ? `?access_token=${token}` : ''}`;
    const body = generator.onceIn(15) ? ['Content-Length: 3'] : [];
    const text = generator.get(path, [...authorization, ...body, ...this.#oddHeaders()], method);
    const answer = await this.#send('/oauth/userinfo', body.length === 0 ? text : `${text}a=b`);
    if (answer.body.includes('"groups":')) this.#count('/oauth/userinfo with claims');
  }

  async #administer(): Promise<void> {
    const generator = this.#generator;
    const [app, member] = [generator.pick(this.#apps), generator.pick(this.#people)];
    const change = (what: string, work: (services: TestService['running']['services']) => Promise<unknown>) =>
      this.#all.each(what, async (service) => void (await work(service.running.services)));
    const client = (what: string, input: Parameters<typeof updateClient>[2]) => () =>
      change(what, (services) => updateClient(services, app.id, input, requester));
    const approve = () => this.#approve(member, app);
    /** Each with what undoes it later, so that requests go on to succeed. */
    const changes: (() => Promise<unknown>)[][] = [
      [() => this.#rotate(app)],
      [
        () => change('revoke the client', (services) => revokeClient(services, app.id, requester)),
        () => change('restore the client', (services) => restoreClient(services, app.id, requester)),
        approve,
      ],
      [
        () => change('disable the user', (services) => disableUser(services, { id: member.id }, requester)),
        () => change('enable the user', (services) => enableUser(services, { id: member.id }, requester)),
        approve,
      ],
      [
        client('narrow the scopes', { scopes: ['openid'] }),
        client('widen them', { scopes: ['openid', 'profile', 'email'] }),
      ],
      [client('list people', { access: 'listed' }), client('allow everyone', { access: 'everyone' })],
      [
        client('ask for a second factor', { secondFactor: 'required' }),
        client('ask for none', { secondFactor: 'optional' }),
      ],
      [
        () => this.#all.each('require second factors', (service) => setPolicy(service, 'everyone')),
        () => this.#all.each('require none', (service) => setPolicy(service, 'optional')),
        approve,
      ],
      [
        () =>
          change('allow', (services) =>
            changeAllowed(services, app.id, 'allow', { people: [member.email], groups: [] }, requester),
          ),
      ],
      [
        () =>
          change('remove the consent', async (services) => {
            const signedIn = await currentSession(services, member.cookies.get(sessionCookie));
            if (signedIn !== undefined) await removeApp(services, signedIn, app.id, requester);
          }),
        approve,
      ],
      [async () => this.#all.clock.advance(generator.pick([3600, 86_400])), approve],
      [() => this.#setClaims(app), approve],
      [() => this.#setClaims(app)],
      [() => this.#joinOrLeave(member)],
      [() => this.#joinOrLeave(member)],
      [approve],
    ];
    const [now, ...later] = generator.pick(changes);
    await now?.();
    this.#undoing.push(...later);
    this.#rereadSettings();
  }

  async #rotate(app: App): Promise<void> {
    const rotated = await this.#all.each('rotate the secret', async (service) => {
      const outcome = await rotateClientSecret(service.running.services, app.id, requester);
      return outcome.kind === 'done' ? outcome.secret : undefined;
    });
    if (rotated !== undefined) app.secrets.push(rotated);
  }

  /** The service reads its settings again every few seconds. */
  #rereadSettings(): void {
    this.#all.clock.advance(10);
  }
}
