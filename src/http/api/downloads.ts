// `/api/people.csv`, `/api/events.csv` and the same as JSON lines: a whole list at once, instead of page by page.

import { refused } from '../../operations/admin/outcome.ts';
import { listAttributes } from '../../operations/attributes/attributes.ts';
import { downloadEvents, downloadUsers } from '../../operations/downloads/list-download.ts';
import { sendDownload } from '../downloads/downloads.ts';
import { eventsDownload, peopleDownload } from '../downloads/lists.ts';
import { type ApiOperation, type Download, done, operationsAt } from './define-operation.ts';
import { downloadFormats, Lines, namesOfFormats } from './download-schemas.ts';
import { eventFilter, eventsQueryOf } from './events/event-operations.ts';
import { ending, peopleFilter, search } from './schemas.ts';
import { userSort } from './users/user-operations.ts';

export const downloadOperations: readonly ApiOperation[] = downloadFormats.flatMap((format) => [
  operationsAt({ tag: 'people', path: `/api/people.${format}`, area: 'people' })(`downloadPeople_${format}`, 'GET', {
    summary: `Download people as ${namesOfFormats[format]}`,
    query: { ...search, ...userSort, ...peopleFilter, ...ending },
    download: format,
    data: Lines(format),
    message: `The people, as ${namesOfFormats[format]}.`,
    run: async (services, { query }, requester) => {
      const caller = requester.actor?.id ?? '';
      const outcome = await downloadUsers(
        services,
        { ...query, ending: query.ending === 'yes' },
        { format, caller, requester },
      );
      if (outcome.kind === 'refused') return outcome;
      const list = peopleDownload(await listAttributes(services));
      return done<Download>({ send: (reply) => sendDownload(reply, format, list, outcome) });
    },
  }),
  operationsAt({ tag: 'activity', path: `/api/events.${format}`, area: 'events' })(`downloadEvents_${format}`, 'GET', {
    summary: `Download events as ${namesOfFormats[format]}`,
    query: eventFilter,
    download: format,
    data: Lines(format),
    message: `The events, as ${namesOfFormats[format]}.`,
    run: async (services, { query }, requester) => {
      const wanted = eventsQueryOf(query);
      if (wanted === undefined) return refused('"since" or "until" isn\'t a valid time');
      const caller = requester.actor?.id ?? '';
      const outcome = await downloadEvents(services, wanted, { format, caller, requester });
      if (outcome.kind === 'refused') return outcome;
      return done<Download>({ send: (reply) => sendDownload(reply, format, eventsDownload, outcome) });
    },
  }),
]);
