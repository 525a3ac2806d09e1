// How a page says that there were too many attempts.

import type { FastifyReply } from 'fastify';

/** Sets Retry-After, and gives the page's status and sentence. */
export function throttledAttempt(
  reply: FastifyReply,
  { retryAfterSeconds }: { retryAfterSeconds: number },
  sentence: (minutes: number) => string,
): { status: number; problem: string } {
  reply.header('Retry-After', retryAfterSeconds);
  return { status: 429, problem: sentence(Math.ceil(retryAfterSeconds / 60)) };
}
