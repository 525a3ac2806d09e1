// The layout of a user's own pages, with the same navigation on each of them.

import type { Messages } from '../languages/languages.ts';
import { type AccountFrame, type Places, type SectionPage, sectionLayout } from '../layout/app-shell.ts';

export {
  type AccountFrame,
  allows,
  formToken,
  imageCard,
  type PageResult,
  postForm,
  valuesForm,
} from '../layout/app-shell.ts';

type Section = keyof Messages['account']['sections'];

const places: Places<Section> = {
  home: { path: '/account', icon: 'squares-2x2' },
  profile: { path: '/account/profile', icon: 'user-circle' },
  security: { path: '/account/security', icon: 'shield-check' },
  sessions: { path: '/account/sessions', icon: 'computer-desktop' },
  apps: { path: '/account/apps', icon: 'link' },
  activity: { path: '/account/activity', icon: 'clock' },
  data: { path: '/account/data', icon: 'circle-stack' },
};

export function accountLayout(frame: AccountFrame, page: SectionPage<Section>): string {
  const m = frame.messages.account;
  const elsewhere =
    frame.account.administrator === true
      ? ({ href: '/admin', label: m.console, icon: 'cog-6-tooth' } as const)
      : undefined;
  return sectionLayout(frame, places, m, { elsewhere, full: false }, page);
}
