// `/api/settings`: what administrators decide for the whole service.

import { Type } from 'typebox';
import { changeSettings } from '../../operations/settings/change-settings.ts';
import { type ApiOperation, defineOperation, done, respondWith } from './define-operation.ts';
import { settings as members, Settings } from './schemas.ts';

const tag = 'settings';
const path = '/api/settings';

export const settingOperations: readonly ApiOperation[] = [
  defineOperation({
    operationId: 'getSettings',
    method: 'GET',
    path,
    tag,
    summary: 'Read the settings of the service',
    needs: 'read',
    data: Settings,
    message: 'Here are the settings.',
    run: async ({ services }) => done(await services.settings.readFresh()),
  }),

  defineOperation({
    operationId: 'updateSettings',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change what is given and leave the rest; applies on every instance within 5 seconds',
    needs: 'write',
    powerful: true,
    body: Type.Object(
      {
        second_factor: Type.Optional(members.second_factor),
        session_hours: Type.Optional(members.session_hours),
        kept_session_days: Type.Optional(members.kept_session_days),
        kept_session_idle_days: Type.Optional(members.kept_session_idle_days),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    data: Settings,
    message: 'The settings are changed.',
    run: async ({ services, body, origin }) =>
      respondWith(await changeSettings(services, body, origin), ({ settings }) => settings),
  }),
];
