// The schemas of the settings, made from the table that says which values each of them takes.

import { Type } from 'typebox';
import { type Name as NameSetting, settingTable, type Text as TextSetting } from '../../../protocol/settings.ts';
import { component, nullable } from '../schemas.ts';

const { second_factor, session_hours, kept_session_days, kept_session_idle_days } = settingTable;
const numberFor = ({ least, most, description }: typeof session_hours) =>
  Type.Integer({ minimum: least, maximum: most, description: `${description}.` });

const textFor = ({ description, rule, longest }: TextSetting | NameSetting) =>
  Type.String({ maxLength: longest, description: `${description}; ${rule}.` });

export const settings = {
  second_factor: Type.Enum(second_factor.values, { description: `${second_factor.description}.` }),
  session_hours: numberFor(session_hours),
  kept_session_days: numberFor(kept_session_days),
  kept_session_idle_days: numberFor(kept_session_idle_days),
  default_upstream: textFor(settingTable.default_upstream),
  service_name: textFor(settingTable.service_name),
  accent: textFor(settingTable.accent),
  support_url: textFor(settingTable.support_url),
  terms_url: textFor(settingTable.terms_url),
  privacy_url: textFor(settingTable.privacy_url),
  sign_in_message: textFor(settingTable.sign_in_message),
};

const ImageUrl = nullable(Type.String({ description: 'Its URL; null when there is none.' }));
export const Settings = component('Settings', { ...settings, logo: ImageUrl, logo_dark: ImageUrl, favicon: ImageUrl });
