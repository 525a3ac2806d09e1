// The client guides for Node.js and the browser: each guide's own program signs a person in.

import { after, before, test } from 'node:test';
import { type Guide, type Stage, setStage, walkThrough } from '../harness/guide-journey.ts';

let stage: Stage;

before(async () => {
  stage = await setStage();
});
after(() => stage?.stop());

const node = (file: string) => (): [string, string] => [process.execPath, file];
const signature = /signature verification failed/;

const guides: Guide[] = [
  { guide: 'openid-client.md', command: node('app.mjs'), complaint: signature, revokes: true },
  { guide: 'oauth4webapi.md', command: node('app.mjs'), complaint: signature, revokes: true },
  { guide: 'fetch.md', command: node('app.mjs'), complaint: /wrong signature/, revokes: true },
];

for (const guide of guides) {
  test(`the program of ${guide.guide} signs a person in`, () => walkThrough(stage, guide));
}
