// How the sign-in page and an email look with the brand that is being edited. They're shown in frames on the branding page.

import type { FastifyReply } from 'fastify';
import type { Services } from '../../../operations/services.ts';
import { english } from '../../../pages/languages/languages.ts';
import { emailsIn } from '../../../pages/mail/emails.ts';
import { signInPage } from '../../../pages/sign-in/sign-in.ts';
import type { Theme } from '../../../protocol/brand/accent.ts';
import { type Brand, brandOf } from '../../../protocol/brand/brand.ts';
import { readFields } from '../../../protocol/resources/resource.ts';
import { brandFields } from '../../../protocol/resources/settings.ts';
import type { HttpContext } from '../../context.ts';
import { sendPreview } from '../../send-page.ts';
import type { ConsoleRequest } from '../console-pages.ts';
import { givenInForm } from '../field-forms.ts';

export async function sendBrandingPreview(context: HttpContext, page: ConsoleRequest): Promise<FastifyReply> {
  // Opened by itself, it would be a page of ours with anyone's text.
  if ((page.request.headers['sec-fetch-dest'] ?? 'iframe') !== 'iframe')
    return page.visit.sendErrorPage(404, 'notFound');
  const theme = page.query.get('theme') === 'dark' ? 'dark' : 'light';
  const brand = await typedBrand(context.services, page.query, theme);
  const shown =
    page.query.get('page') === 'email' ? emailWith(context, brand, theme) : signInWith(context, brand, theme);
  return sendPreview(page.reply, shown);
}

/** With what was typed where it's valid, and what is stored otherwise. */
async function typedBrand(services: Services, query: URLSearchParams, theme: Theme): Promise<Brand> {
  const settings = await services.settings.readFresh();
  const fields = new Map(query);
  const form = { fields, field: (name: string) => fields.get(name) ?? '', now: () => services.clock.now() };
  const { values } = readFields(brandFields, givenInForm(brandFields, 'change', form), settings);
  const brand = brandOf({ ...settings, ...values }, services.settings.images);
  const logo = brand.logo?.[theme];
  return { ...brand, logo: logo === undefined ? undefined : { light: logo, dark: logo } };
}

function signInWith({ assets }: HttpContext, brand: Brand, theme: Theme): string {
  const frame = { messages: english, assets, brand, theme };
  const page = signInPage(frame, {
    app: undefined,
    email: '',
    keep: false,
    ticket: '',
    problem: undefined,
    signUp: true,
    emailCode: false,
    upstreams: [],
    passwords: 'allowed',
    passwordOver: false,
  });
  return page.replace(/<script [^>]*><\/script>\n/g, '');
}

/** Frames can't be told to be dark, so what would depend on that is decided here. */
function emailWith({ services }: HttpContext, brand: Brand, theme: Theme): string {
  const url = `${services.issuer}/sign-up/finish`;
  const { html } = emailsIn(english, services.issuer, brand).finishSignUp({ to: '', url });
  return html.replaceAll('(prefers-color-scheme: dark)', theme === 'dark' ? 'all' : 'not all');
}
