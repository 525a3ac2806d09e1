// What administrators do with an identity provider, described once. Adding one, its settings, its endpoints and trying it out are made
// by hand.

import { type Actions, defineAction } from '../admin/subject.ts';
import { upstreamDetailsJson } from './upstream-json.ts';
import { deleteUpstream, disableUpstream, enableUpstream, upstreamDetails } from './upstreams.ts';

export const upstreamActions = {
  disable: {
    does: 'disable an identity provider',
    details: 'Linked identities are kept.',
    done: 'disabled',
    proof: true,
    run: disableUpstream,
  },
  // People can sign in with it again.
  enable: { does: 'enable a disabled identity provider', done: 'enabled', proof: true, run: enableUpstream },
  delete: defineAction({
    does: 'delete an identity provider and the identities linked to it',
    details: 'If you may need it again, use "latchkey upstream disable" instead.',
    done: 'deleted',
    proof: true,
    async loses(services, name) {
      const found = await upstreamDetails(services, name);
      if (found.kind === 'refused') return found;
      const { upstream, people } = found;
      return {
        kind: 'done',
        what: `the identity provider ${JSON.stringify(upstream.label)}`,
        with: [
          [people.all, 'linked identity', 'linked identities'],
          [people.withoutOtherWay, "person's only way to sign in", "people's only way to sign in"],
        ],
      };
    },
    run: deleteUpstream,
    json: (deleted, services) => upstreamDetailsJson(services, deleted),
    says({ upstream, people: { withoutOtherWay: stuck } }) {
      const who = stuck.count === 1 ? '1 person has' : `${stuck.count}${stuck.more ? '+' : ''} people have`;
      const locked = `\n${who} no other way to sign in, and can get a password by email.`;
      return `Deleted the identity provider ${JSON.stringify(upstream.label)}.${stuck.count > 0 ? locked : ''}`;
    },
  }),
} satisfies Actions;
