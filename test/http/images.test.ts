// The images that administrators upload: of applications, of identity providers and of the brand. What pages serve to
// everyone is a picture of a bounded size, and nothing else.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Api, examples, type Input, type KeyCaller, newKey } from '../harness/api.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import {
  bytesOf,
  exif,
  header,
  idat,
  iend,
  jpeg,
  onlyOrientation,
  place,
  plainPng,
  png,
  pngChunk,
  segment,
  shown,
} from '../protocol/reading/picture-samples.ts';

let service: TestService;
let api: Api;
let key: KeyCaller;
before(async () => {
  service = await startTestService();
  api = await Api.of(service);
  key = await newKey(service, 'administrator');
});
after(() => service.stop());

const page = '<script>alert(document.domain)</script>';

/** Where an image is set, and where pages show it. */
const places: Record<string, (input: Input) => Promise<string>> = {
  async setApplicationLogo({ params }) {
    const client = await service.running.services.storage.findClient(params?.client_id ?? '');
    return `/logos/${client?.id}/${client?.logoVersion}`;
  },
  async setUpstreamIcon({ params }) {
    const upstream = await service.running.services.storage.findUpstream(params?.name ?? '');
    return `/upstream-icons/${upstream?.name}/${upstream?.iconVersion}`;
  },
  async setBrandImage() {
    const { data } = await api.call('getSettings', key);
    return new URL(String(Object(data).favicon)).pathname;
  },
};

for (const [operation, urlOf] of Object.entries(places)) {
  describe(operation, () => {
    const set = async (bytes: Buffer, type = 'image/png') => {
      const example = (await examples[operation]?.(service, await service.newUser())) ?? {};
      const input = { ...example, raw: { type, bytes: new Uint8Array(bytes) } };
      return { input, answer: await api.call(operation, key, input) };
    };

    const served = async (bytes: Buffer, type?: string) => {
      const { input, answer } = await set(bytes, type);
      assert.equal(answer.status, 200, answer.message);
      const response = await fetch(service.url + (await urlOf(input)));
      assert.equal(response.status, 200);
      return Buffer.from(await response.arrayBuffer());
    };

    test('refuses an image with too many pixels', async () => {
      const { answer } = await set(png(header(50_000, 50_000), idat, iend));
      assert.equal(answer.status, 400);
      assert.match(answer.message, /too many pixels\.$/);
    });

    test('refuses HTML behind the signature of an image', async () => {
      for (const [start, type] of [
        ['\x89PNG\r\n\x1a\n', 'image/png'],
        ['\xff\xd8\xff', 'image/jpeg'],
        ['RIFF\x24\0\0\0WEBP', 'image/webp'],
      ] as const) {
        const { answer } = await set(bytesOf(start, page), type);
        assert.equal(answer.status, 400, type);
        assert.match(answer.message, /damaged\.$/);
      }
    });

    test('drops metadata and what follows the image', async () => {
      const noted = png(header(2, 2), pngChunk('tEXt', `Comment\0${place}`), idat, iend);
      assert.deepEqual(await served(noted), plainPng);
      assert.deepEqual(await served(bytesOf(plainPng, page)), plainPng);
      const photo = jpeg(segment(0xe1, exif('big', 6)), ...shown);
      assert.deepEqual(await served(bytesOf(photo, page), 'image/jpeg'), jpeg(onlyOrientation(6), ...shown));
    });
  });
}
