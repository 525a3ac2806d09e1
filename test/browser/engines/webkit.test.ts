// The journeys in WebKit.

import { ensureDebianPackages } from '../../harness/debian-packages.ts';
import { displayPath, driverPath, startWebKit } from '../../harness/engines/webkit.ts';
import { journeysIn } from './journeys.ts';

const skip = ensureDebianPackages({ 'webkit2gtk-driver': driverPath, xvfb: displayPath });
journeysIn({ name: 'WebKit', start: startWebKit, skip, device: 'Unknown browser on Linux' });
