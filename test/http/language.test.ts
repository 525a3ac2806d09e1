// The language of pages and emails: who asks for which, and whose wish comes first.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inviteUser } from '../../src/operations/users/invitations.ts';
import { messagesIn } from '../../src/pages/languages/languages.ts';
import { languageTags } from '../../src/protocol/languages.ts';
import { signedIn } from '../harness/account.ts';
import { askForCode, newestCode, setPolicy as setSettings } from '../harness/email-codes.ts';
import { formIn, Person, readForm } from '../harness/person.ts';
import { setPolicy, setUpOn } from '../harness/policy.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { isSignedIn, newOwner, recoveryCodesOn } from '../harness/second-factors.ts';
import { requester, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { askToReset, askToSignUp, newAddress } from '../harness/sign-up.ts';
import { mailsTo } from '../harness/store.ts';

let service: TestService;
let client: TestClient;

before(async () => {
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
  client = await service.newClient();
});
after(() => service?.stop());

const languageIn = async (response: Response) => /<html lang="([^"]+)"/.exec(await response.text())?.[1];
const wishing = (language: string) => ({ headers: { 'Accept-Language': language } });

/** Somebody whose profile says which language they speak. */
async function speaker(locale: string) {
  const user = await service.newUser();
  await setLocale(user, locale);
  return user;
}

async function setLocale({ id, record }: TestUser, locale: string) {
  const { name, givenName, familyName, preferredUsername } = record;
  const { services } = service.running;
  const event = services.journal.event({ kind: 'profile_changed' }, { address: '', requestId: '' });
  const profile = { name, givenName, familyName, preferredUsername, locale };
  await services.storage.changeProfile(id, profile, services.clock.now(), event);
}

/** The path of the link in the newest email to the address. */
async function mailedLink(email: string): Promise<string> {
  const [newest] = await mailsTo(service, email);
  return newest?.text.match(/http\S+link=\S+/)?.[0].slice(service.url.length) ?? '';
}

/** Picks a language at the foot of a page, and follows to where it leads. */
async function pick(person: Person, path: string, language: string): Promise<Response> {
  return person.submit(await formIn(await person.visit(path), '/language'), { language });
}

describe('a page', () => {
  test('is in English for a browser without a supported language', async () => {
    for (const language of ['', '*', 'fi,sv;q=0.5', 'x'.repeat(5000)]) {
      assert.equal(await languageIn(await new Person(service).request('/sign-in', wishing(language))), 'en');
    }
  });

  test('is in the language that the browser prefers', async () => {
    const page = await (await new Person(service).request('/sign-in', wishing('fi, de-AT;q=0.9, en;q=0.8'))).text();
    assert.match(page, /<html lang="de" dir="ltr">/);
    assert.match(page, /Anmelden/);
  });

  test('is mirrored in Arabic', async () => {
    const page = await (await new Person(service).request('/sign-in', wishing('ar-EG'))).text();
    assert.match(page, /<html lang="ar" dir="rtl">/);
  });

  test('prefers the language picked in this browser', async () => {
    const person = new Person(service);
    assert.equal(await languageIn(await pick(person, '/sign-in', 'fr')), 'fr');
    assert.equal(await languageIn(await person.request('/reset-password', wishing('de'))), 'fr');
    assert.equal(await languageIn(await person.request('/nowhere', wishing('de'))), 'fr', 'an error page, too');
  });

  test("prefers the language in the person's profile", async () => {
    const user = await speaker('de-CH');
    const person = new Person(service);
    await pick(person, '/sign-in', 'fr');
    await person.signIn(user);
    assert.equal(await languageIn(await person.visit('/account/security')), 'de');
    await person.visit('/sign-out');
    person.cookies.delete('latchkey_session');
    assert.equal(await languageIn(await person.visit('/sign-in')), 'de', 'after signing out as well');
  });

  test('prefers the language that the application requests, until the end', async () => {
    const user = await speaker('de');
    const person = new Person(service);
    const path = authorizePath(client, newVerifier(), { ui_locales: 'fi ja-JP en' });
    const signIn = await person.request(path, wishing('de'));
    const page = await signIn.text();
    assert.match(page, /<html lang="ja"/);
    const form = await formIn(new Response(page), '/sign-in');
    const failed = await person.submit(form, { email: user.email, password: 'wrong' });
    assert.equal(await languageIn(failed.clone()), 'ja');
    const consent = await person.submit(await formIn(failed, '/sign-in'), {
      email: user.email,
      password: user.password,
    });
    assert.equal(await languageIn(consent), 'ja');
  });

  test('says what was wrong with a code in the language of the page', async (t) => {
    const path = authorizePath(client, newVerifier(), { ui_locales: 'de' });
    const reach = async (user: TestUser) => {
      const person = new Person(service);
      const form = await formIn(await person.request(path, wishing('fr')), '/sign-in');
      return { person, answer: await person.submit(form, { email: user.email, password: user.password }) };
    };
    const alertIn = async (response: Response) => {
      const page = await response.text();
      assert.match(page, /<html lang="de"/);
      return /role="alert"(?! hidden)[^>]*>(?:<svg.*?<\/svg>)?(?:<[^>]+>)*([^<]+)/s.exec(page)?.[1]?.trim();
    };

    const messages = messagesIn('de');
    const { user } = await newOwner(service);
    const step = await reach(user);
    const secondStep = await formIn(step.answer, '/sign-in/second-step');
    assert.equal(
      await alertIn(await step.person.submit(secondStep, { code: '000000' })),
      messages.account.secondStep.failed,
    );

    await setPolicy(service, 'everyone');
    t.after(() => setPolicy(service, 'optional'));
    const { person, answer } = await reach(await service.newUser());
    const { form } = await setUpOn(answer);
    assert.equal(await alertIn(await person.submit(form, { code: '000000' })), messages.secondFactor.wrongCode);
  });

  test('ignores unknown languages from the application', async () => {
    const path = authorizePath(client, newVerifier(), { ui_locales: 'xx "><script>' });
    assert.equal(await languageIn(await new Person(service).request(path, wishing('de'))), 'de');
  });

  describe('of a person whose profile changed in another browser', () => {
    /** Signed in before the profile said anything, so the browser remembers no language. */
    async function late(locale: string) {
      const user = await service.newUser();
      const person = await signedIn(service, user);
      assert.equal(person.cookies.has('latchkey_language'), false);
      await setLocale(user, locale);
      return person;
    }

    for (const path of ['/nowhere', '/signed-out', '/sign-up', '/reset-password', '/invitation?link=over']) {
      test(`uses the new language at ${path}, too`, async () => {
        const person = await late('de-AT');
        await person.visit('/account/security');
        assert.equal(await languageIn(await person.visit(path)), 'de');
      });
    }

    test("uses the new language on a form's error page", async () => {
      const person = await late('de');
      const init = {
        method: 'POST',
        headers: { Origin: service.url },
        body: new URLSearchParams({ form_token: '0' }),
      };
      const response = await person.request('/account/password', init);
      assert.equal(response.status, 403);
      assert.equal(await languageIn(response), 'de');
    });

    test('uses the new language from the consent page on', async () => {
      const person = await late('de');
      assert.equal(await languageIn(await person.visit(authorizePath(client, newVerifier()))), 'de');
      assert.equal(await languageIn(await person.visit('/nowhere')), 'de');
    });

    test("uses the new language during an application's sign-out", async () => {
      const person = await late('de');
      const question = await person.visit('/oauth/logout');
      assert.equal(await languageIn(question.clone()), 'de');
      assert.equal(await languageIn(await person.submit(await formIn(question, '/oauth/logout/confirm'), {})), 'de');
      assert.equal(await languageIn(await person.visit('/sign-in')), 'de');
    });

    test("doesn't set the cookie again while it's unchanged", async () => {
      const person = await late('de');
      await person.visit('/account/security');
      const response = await person.visit('/account/security');
      assert.deepEqual(response.headers.getSetCookie(), []);
    });
  });

  test('for signing out prefers the language that the application requests, until the end', async () => {
    const person = await signedIn(service, await speaker('de'));
    const question = await person.visit('/oauth/logout?ui_locales=fi%20ja');
    assert.equal(await languageIn(question.clone()), 'ja');
    assert.equal(await languageIn(await person.submit(await formIn(question, '/oauth/logout/confirm'), {})), 'ja');
    const invalid = await person.visit('/oauth/logout?ui_locales=ja&state=1&state=2');
    assert.equal(invalid.status, 400);
    assert.equal(await languageIn(invalid), 'ja');
  });

  test('of the console and the documentation is always in English', async () => {
    const user = await service.newUser({ admin: true });
    const person = await signedIn(service, user);
    await pick(person, '/account/security', 'de');
    assert.equal(await languageIn(await person.visit('/account/security')), 'de');
    for (const path of ['/admin', '/docs/quickstart']) assert.equal(await languageIn(await person.visit(path)), 'en');
  });

  test('says that its times are in UTC, in its language', async () => {
    const person = await signedIn(service, await speaker('de'));
    const page = await (await person.visit('/account/activity')).text();
    assert.match(page, /<time datetime="[^"]+Z" data-time="moment">\d+\. [^<]+ UTC<\/time>/);
  });
});

describe('the language picker', () => {
  test('lists every language by its own name, and marks the current one', async () => {
    const page = await (await new Person(service).request('/sign-in', wishing('de'))).text();
    const offered = [...page.matchAll(/name="language" value="([^"]+)"/g)].map(([, tag]) => tag);
    assert.deepEqual(offered, languageTags);
    assert.deepEqual(
      [...page.matchAll(/value="([^"]+)" lang="[^"]+" aria-current="true"/g)].map(([, tag]) => tag),
      ['de'],
    );
  });

  test("returns to the same page, overriding the application's language", async () => {
    const person = new Person(service);
    const path = authorizePath(client, newVerifier(), { ui_locales: 'ja' });
    const form = await formIn(await person.visit(path), '/language');
    const response = await person.request('/language', {
      method: 'POST',
      headers: { Origin: service.url },
      body: new URLSearchParams({ ...form.fields, language: 'fr' }),
    });
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), path.replace(/&ui_locales=ja/, ''));
    assert.equal(await languageIn(await person.visit(response.headers.get('location') ?? '')), 'fr');
  });

  test('keeps the pending sign-in after a failed attempt', async () => {
    const person = new Person(service);
    const path = authorizePath(client, newVerifier());
    const failed = await person.submit(await formIn(await person.visit(path), '/sign-in'), {
      email: 'nobody@example.test',
      password: 'wrong',
    });
    const again = await person.submit(await formIn(failed, '/language'), { language: 'de' });
    const page = await again.text();
    assert.match(page, /<html lang="de"/);
    assert.ok(page.includes('Test app'), 'on the way to the application');
  });

  test('shows "Check your email" again, and sends nothing', async () => {
    const path = authorizePath(client, newVerifier(), { ui_locales: 'ja' });
    const email = 'picks@example.test';
    const user = await service.newUser({ email });
    const starts = {
      '/sign-up': async (person: Person) =>
        person.submit({ ...(await formIn(await person.visit(path), '/sign-in')), action: '/sign-up/start' }, {}),
      '/reset-password': async (person: Person) =>
        person.submit({ ...(await formIn(await person.visit(path), '/sign-in')), action: '/reset-password/start' }, {}),
      '/account/email': async (person: Person) => {
        await person.signIn(user);
        return person.visit('/account/email');
      },
    };
    for (const [action, start] of Object.entries(starts)) {
      const person = new Person(service);
      const form = await formIn(await start(person), action);
      const sent = await person.submit(form, { email: `new.${email}` });
      assert.equal(await languageIn(sent.clone()), action === '/account/email' ? 'en' : 'ja', action);
      const before = (await service.rows('mails')).length;
      const again = await person.submit(await formIn(sent, '/email-sent'), { language: 'de' });
      assert.equal((await service.rows('mails')).length, before, action);
      const page = await again.clone().text();
      assert.match(page, /<html lang="de"[\s\S]*<h1>Prüfen Sie Ihren Posteingang<\/h1>/, action);
      assert.ok(page.includes(`new.${email}`), action);
      const resent = await person.submit(await formIn(again.clone(), action), {});
      assert.ok((await service.rows('mails')).length > before, action);
      assert.equal(await languageIn(resent), 'de', action);
    }
    assert.equal((await service.running.services.storage.findUser(user.id))?.locale, 'de');
  });

  test('asks for the same code by email again', async () => {
    await setSettings(service, { email_codes: 'everyone' });
    const { email } = await service.newUser();
    const asked = await askForCode(service, email);
    const again = await asked.person.submit(await formIn(new Response(asked.page), '/sign-in/code/language'), {
      language: 'de',
    });
    assert.equal(await languageIn(again.clone()), 'de');
    const form = await formIn(again, '/sign-in/code');
    await asked.person.submit(form, { code: await newestCode(service, email) });
    assert.ok(await isSignedIn(asked.person));
  });

  test('of a page that answers a form accepts no language that there is not', async () => {
    const person = new Person(service);
    const form = await formIn(await person.visit('/reset-password'), '/reset-password');
    const sent = await formIn(await person.submit(form, { email: 'a@example.test' }), '/email-sent');
    for (const wrong of [{ language: 'xx' }, { language: 'de', form: 'toString' }]) {
      assert.equal((await person.submit(sent, wrong)).status, 400);
    }
    assert.equal((await new Person(service).submit(sent, { language: 'de' })).status, 403, 'in another browser');
  });

  for (const [what, link] of [
    [
      'finishes the sign-up',
      async (email: string) => {
        await askToSignUp(service, email);
        return mailedLink(email);
      },
    ],
    [
      'answers an invitation',
      async (email: string) => {
        const { services } = service.running;
        const outcome = await inviteUser(services, { email, name: '' }, requester);
        assert.ok(outcome.kind !== 'refused');
        return mailedLink(email);
      },
    ],
    [
      'sets a new password',
      async () => {
        const user = await service.newUser();
        await askToReset(service, user.email);
        return mailedLink(user.email);
      },
    ],
  ] as const) {
    test(`keeps the link after a failed attempt, in the form that ${what}`, async () => {
      const person = new Person(service);
      const path = await link(newAddress());
      const action = path.split('?')[0] ?? '';
      const failed = await person.submit(await formIn(await person.visit(path), action), {
        name: '',
        password: 'short',
      });
      assert.equal(failed.status, 400);
      const again = await person.submit(await formIn(failed, '/language'), { language: 'de' });
      assert.equal(again.status, 200);
      const page = await again.text();
      assert.match(page, /<html lang="de"/);
      assert.ok(readForm(page, action), page);
    });
  }

  test('returns to the page of a form that failed', async () => {
    const person = await signedIn(service, await service.newUser());
    const failed = await person.submit(await formIn(await person.visit('/account/profile'), '/account/profile'), {});
    assert.equal(failed.status, 400);
    assert.equal((await formIn(failed, '/language')).fields.return_to, '/account/profile');
  });

  test('is missing where a page cannot be shown again', async () => {
    const { person } = await newOwner(service);
    const codes = await person.submit(
      await formIn(await person.visit('/account/security'), '/account/recovery-codes'),
      {},
    );
    const page = await codes.text();
    assert.ok(recoveryCodesOn(page).length > 0, page);
    assert.equal(readForm(page, '/language'), undefined);
    const sent = await (await askToReset(service, newAddress())).text();
    assert.equal(readForm(sent, '/language'), undefined);
  });

  test("changes a signed-in person's profile and the locale claim", async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    assert.equal(await languageIn(await pick(person, '/account/security', 'tr')), 'tr');
    assert.equal((await service.running.services.storage.findUser(user.id))?.locale, 'tr');
  });

  test('keeps a regional variant of the same language', async () => {
    const user = await speaker('de-AT');
    const person = await signedIn(service, user);
    await pick(person, '/account/security', 'de');
    assert.equal((await service.running.services.storage.findUser(user.id))?.locale, 'de-AT');
  });

  for (const [what, fields] of [
    ['an unknown language', { language: 'tlh', return_to: '/sign-in' }],
    ['no language', { return_to: '/sign-in' }],
    ['another site', { language: 'de', return_to: 'https://evil.example/' }],
    ['another site without a scheme', { language: 'de', return_to: '//evil.example/' }],
    ['another site behind a backslash', { language: 'de', return_to: '/\\evil.example/' }],
    ['a line break', { language: 'de', return_to: '/sign-in\r\nSet-Cookie: a=b' }],
    ['nowhere', { language: 'de' }],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const person = new Person(service);
      const init = { method: 'POST', headers: { Origin: service.url }, body: new URLSearchParams({ ...fields }) };
      const response = await person.request('/language', init);
      assert.equal(response.status, 400);
      assert.equal(person.cookies.has('latchkey_language'), false);
    });
  }

  test('refuses requests from another site', async () => {
    const response = await new Person(service).request('/language', {
      method: 'POST',
      headers: { Origin: 'https://evil.example' },
      body: new URLSearchParams({ language: 'de', return_to: '/' }),
    });
    assert.equal(response.status, 403);
  });
});

describe('an email', () => {
  const subjectsTo = async (email: string) => (await mailsTo(service, email)).map(({ subject }) => subject);

  test("is in its recipient's language, whoever caused it", async () => {
    const user = await speaker('de');
    const french = new Person(service);
    await pick(french, '/sign-in', 'fr');
    await askToReset(service, user.email, french);
    const [email] = await mailsTo(service, user.email);
    assert.match(email?.subject ?? '', /Passwort/);
    assert.match(email?.html ?? '', /<html lang="de" dir="ltr">/);
  });

  test("to someone without an account is in the page's language", async () => {
    const email = newAddress();
    const french = new Person(service);
    await pick(french, '/sign-in', 'fr');
    await askToReset(service, email, french);
    assert.match((await subjectsTo(email))[0] ?? '', /compte/i);
  });

  test('is in the language used at sign-up, from then on', async () => {
    const email = newAddress();
    const person = new Person(service);
    await pick(person, '/sign-in', 'de');
    await askToSignUp(service, email, person);
    const finish = await formIn(await person.visit(await mailedLink(email)), '/sign-up/finish');
    await person.submit(finish, { name: 'Ada', password: 'a phrase of my own' });
    assert.equal((await service.running.services.storage.findUserByEmail(email))?.locale, 'de');
    await askToReset(service, email);
    assert.match((await subjectsTo(email))[0] ?? '', /Passwort/);
  });

  test('is in English for people who never chose a language', async () => {
    const user = await service.newUser();
    await new Person(service).signIn(user);
    const [email] = await mailsTo(service, user.email);
    assert.match(email?.subject ?? '', /New sign-in/);
    assert.match(email?.text ?? '', /before: Unknown browser, \d+ \w+ \d{4}/, 'which stands in no sentence');
  });
});

test('discovery lists the languages', async () => {
  const response = await fetch(`${service.url}/.well-known/openid-configuration`);
  const { ui_locales_supported } = (await response.json()) as { ui_locales_supported: string[] };
  assert.deepEqual(ui_locales_supported, languageTags);
});
