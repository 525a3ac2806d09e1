// What `serve` and `setup-link` print for the operator who has just installed the service.

import { linkLifetimes } from '../../operations/email-links/links.ts';
import { howLong } from '../terminal/times.ts';

export function setUpSentence(url: string): string {
  const life = howLong(linkLifetimes.set_up);
  return `Open this link to create the first administrator. It works once and expires in ${life}:\n\n  ${url}`;
}
