// Visitors who want an account or have forgotten their password.

import { address } from '../../src/pages/layout/html.ts';
import { formIn, Person } from './person.ts';
import type { TestService, TestUser } from './service.ts';

let addresses = 0;
export const newAddress = () => `newcomer${++addresses}@example.test`;
export const name = 'Grace Hopper';
export const password = 'a phrase of my own';

export async function askToSignUp(
  service: TestService,
  email: string,
  person = new Person(service),
): Promise<Response> {
  // Gives the email a later time than those before, so that it is the newest.
  service.clock.advance(1);
  return submitAndAnswer(service, person, '/sign-up', email);
}

export async function askToReset(service: TestService, email: string, person = new Person(service)): Promise<Response> {
  service.clock.advance(1);
  return submitAndAnswer(service, person, '/reset-password', email);
}

/** Once the response is there the request is answered as well, so that a test can change who has an account. */
async function submitAndAnswer(service: TestService, person: Person, path: string, email: string): Promise<Response> {
  const response = await person.submit(await formIn(await person.visit(path), path), { email });
  await service.running.services.emailQueue.answerRequests();
  return response;
}

export async function statusOfSignIn(service: TestService, email: string, password: string): Promise<number> {
  return (await new Person(service).signIn({ email, password } as TestUser)).status;
}

export async function usersWith(service: TestService, email: string): Promise<Record<string, unknown>[]> {
  return (await service.rows('users')).filter((row) => String(row.email).toLowerCase() === email.toLowerCase());
}

/** Tables that any request may change. Failures are not among them: repeated requests for an email count as such. */
export const countedAnyway = ['events', 'leases', 'hourly_totals'];

/** A page as anyone would get it: without the email address, which has places to break where it's shown. */
export function withoutAddress(page: string, email: string): string {
  return page.replaceAll(address(email).text, '').replaceAll(email, '');
}

/** What a response reveals: status, page, and the headers that don't differ each time. */
export async function traitsOf(response: Response): Promise<unknown> {
  const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  // The stamp of a ticket differs by browser.
  const page = (await response.text()).replaceAll(/(name="continue" value="[^".]+)\.[^"]+/g, '$1');
  return { status: response.status, headers, page };
}
