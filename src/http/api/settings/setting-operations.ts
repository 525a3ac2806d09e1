// `/api/settings`: what administrators decide for the whole service.

import { Type } from 'typebox';
import type { AdminOutcome } from '../../../operations/admin/outcome.ts';
import type { Services } from '../../../operations/services.ts';
import { changeSettings, settingsJson } from '../../../operations/settings/change-settings.ts';
import { affectedBy } from '../../../operations/settings/inactive-people.ts';
import { brandImages, isBrandImage } from '../../../protocol/brand/brand.ts';
import type { Requester } from '../../../protocol/event.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import { type SettingsInput, settingFields } from '../../../protocol/resources/settings.ts';
import { type ApiOperation, notFound, operationsAt, operationsOn } from '../define-operation.ts';
import { changingBody, shownFields } from '../field-schemas.ts';
import { component, Id, nullable } from '../schemas.ts';

const ImageUrl = nullable(Type.String({ description: 'Its URL; null if there is none.' }));
const fields = {
  ...shownFields(settingFields),
  ...Object.fromEntries(brandImages.map((image) => [image, ImageUrl])),
};
const Settings = component('Settings', fields);

const ChangedSettings = component('ChangedSettings', {
  ...fields,
  affected: nullable(
    Type.Integer({
      description:
        'How many people have been inactive for as long as the disable_inactive_after_days that was given, counted up to 10,000. They are told, and disabled later unless they use their account. Null if it was not given, or is null.',
    }),
  ),
});

type Shown = { readonly settings: Record<string, unknown> };
const subject = {
  tag: 'settings',
  path: '/api/settings',
  area: 'settings',
  data: Settings,
  json: ({ settings }: Shown) => settings,
} as const;
const all = operationsAt(subject);
/** `image` is logo, logo_dark or favicon. */
const onImage = operationsOn({ ...subject, path: '/api/settings/images' }, { image: Id }, ({ image }) => image);

async function change(services: Services, given: SettingsInput, requester: Requester): Promise<AdminOutcome<Shown>> {
  const outcome = await changeSettings(services, given, requester);
  return outcome.kind === 'refused' ? outcome : { kind: 'done', settings: await settingsJson(services) };
}

function changeImage(services: Services, image: string, bytes: Uint8Array | null, requester: Requester) {
  if (isBrandImage(image)) return change(services, { [image]: bytes }, requester);
  return Promise.resolve(notFound(`there is no image ${JSON.stringify(image)}`));
}

export const settingOperations: readonly ApiOperation[] = [
  all('getSettings', 'GET', {
    summary: 'Read the settings of the service',
    message: 'Settings retrieved.',
    run: async (services) => ({ kind: 'done', settings: await settingsJson(services) }),
  }),
  all('updateSettings', 'PATCH', {
    summary: 'Change the given settings; takes effect on all instances within 5 seconds',
    powerful: true,
    body: changingBody(settingFields),
    data: ChangedSettings,
    message: 'Settings updated.',
    run: async (services, { body }, requester) => {
      const given = givenByName(settingFields, body);
      const outcome = await change(services, given, requester);
      if (outcome.kind === 'refused') return outcome;
      const affected = await affectedBy(services, given);
      return { ...outcome, settings: { ...outcome.settings, affected: affected?.people.count ?? null } };
    },
  }),
  onImage('setBrandImage', 'PUT', {
    summary: 'Set the logo, the logo for dark mode or the favicon: a PNG, JPEG or WebP image of at most 512 KB',
    takesImage: true,
    message: 'Image updated.',
    run: (services, image, requester, { bytes }) => changeImage(services, image, bytes, requester),
  }),
  onImage('removeBrandImage', 'DELETE', {
    summary: 'Remove the logo, the logo for dark mode or the favicon',
    message: 'Image removed.',
    run: (services, image, requester) => changeImage(services, image, null, requester),
  }),
];
