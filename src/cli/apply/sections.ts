// The sections of the file, in the order in which they are applied and written: upstreams are there before the settings and
// applications that name them, groups before applications, and applications before their webhooks.

import { applicationsSection } from './clients-section.ts';
import { groupsSection } from './groups-section.ts';
import type { Section } from './section.ts';
import { settingsSection } from './settings-section.ts';
import { upstreamsSection } from './upstreams-section.ts';
import { webhooksSection } from './webhooks-section.ts';

export const sections: readonly Section[] = [
  upstreamsSection,
  settingsSection,
  groupsSection,
  applicationsSection,
  webhooksSection,
];
