// The journeys in Firefox.

import { ensureDebianPackages } from '../../harness/debian-packages.ts';
import { firefoxPath, startFirefox } from '../../harness/engines/puppeteer.ts';
import { journeysIn } from './journeys.ts';

const skip = ensureDebianPackages({ 'firefox-esr': firefoxPath });
journeysIn({ name: 'Firefox', start: startFirefox, skip, device: 'Firefox on Linux' });
