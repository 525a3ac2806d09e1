// The journeys in Chromium, so that they're known to hold before a release tries them in the other browsers.

import { startChromium } from '../../harness/engines/puppeteer.ts';
import { journeysIn } from './journeys.ts';

journeysIn({ name: 'Chromium', start: startChromium, device: 'Chrome on Linux' });
