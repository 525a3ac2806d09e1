// The sections of the file, in the order in which they are applied and written: groups and upstreams are there before the
// applications that name them, and applications before their webhooks.

import { applicationsSection } from './applications.ts';
import { groupsSection } from './groups.ts';
import type { Section } from './section.ts';
import { settingsSection } from './settings.ts';
import { upstreamsSection } from './upstreams.ts';
import { webhooksSection } from './webhooks.ts';

export const sections: readonly Section[] = [
  settingsSection,
  groupsSection,
  upstreamsSection,
  applicationsSection,
  webhooksSection,
];
