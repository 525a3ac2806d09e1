// `/api/settings`: what administrators decide for the whole service.

import { Type } from 'typebox';
import { changeBrandImage } from '../../../operations/settings/brand-images.ts';
import { changeSettings, readJsonSettings } from '../../../operations/settings/change-settings.ts';
import { settingsJson } from '../../../operations/settings/settings-json.ts';
import { isBrandImage } from '../../../protocol/brand/brand.ts';
import { type ApiOperation, type Call, defineOperation, done, notFound } from '../define-operation.ts';
import { Id } from '../schemas.ts';
import { settings as members, Settings } from './setting-schemas.ts';

const tag = 'settings';
const path = '/api/settings';
const imagePath = '/api/settings/images/{image}';
/** The image: logo, logo_dark or favicon. */
const params = { image: Id };

async function changeImage(
  { services, requester }: Pick<Call<unknown, unknown, unknown, 'write'>, 'services' | 'requester'>,
  image: string,
  bytes: Uint8Array | null,
) {
  if (!isBrandImage(image)) return notFound(`there is no image ${JSON.stringify(image)}`);
  const outcome = await changeBrandImage(services, image, bytes, requester);
  return outcome.kind === 'refused' ? outcome : done(await settingsJson(services));
}

export const settingOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'getSettings',
    method: 'GET',
    path,
    tag,
    summary: 'Read the settings of the service',
    needs: 'read',
    data: Settings,
    message: 'Settings retrieved.',
    run: async ({ services }) => done(await settingsJson(services)),
  }),

  defineOperation({
    operationId: 'updateSettings',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change the given settings; takes effect on all instances within 5 seconds',
    needs: 'write',
    powerful: true,
    body: Type.Object(
      {
        second_factor: Type.Optional(members.second_factor),
        session_hours: Type.Optional(members.session_hours),
        kept_session_days: Type.Optional(members.kept_session_days),
        kept_session_idle_days: Type.Optional(members.kept_session_idle_days),
        default_upstream: Type.Optional(members.default_upstream),
        service_name: Type.Optional(members.service_name),
        accent: Type.Optional(members.accent),
        support_url: Type.Optional(members.support_url),
        terms_url: Type.Optional(members.terms_url),
        privacy_url: Type.Optional(members.privacy_url),
        sign_in_message: Type.Optional(members.sign_in_message),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    data: Settings,
    message: 'Settings updated.',
    run: async ({ services, body, requester }) => {
      const reading = readJsonSettings(body);
      const outcome = reading.kind === 'read' ? await changeSettings(services, reading.change, requester) : reading;
      return outcome.kind === 'refused' ? outcome : done(await settingsJson(services));
    },
  }),

  defineOperation({
    operationId: 'setBrandImage',
    method: 'PUT',
    path: imagePath,
    tag,
    summary: 'Set the logo, the logo for dark mode or the favicon: a PNG, JPEG or WebP image of at most 512 KiB',
    needs: 'write',
    params,
    takesImage: true,
    data: Settings,
    message: 'Image updated.',
    run: (call) => changeImage(call, call.params.image, call.bytes),
  }),

  defineOperation({
    operationId: 'removeBrandImage',
    method: 'DELETE',
    path: imagePath,
    tag,
    summary: 'Remove the logo, the logo for dark mode or the favicon',
    needs: 'write',
    params,
    data: Settings,
    message: 'Image removed.',
    run: (call) => changeImage(call, call.params.image, null),
  }),
];
