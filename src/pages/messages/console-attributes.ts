// What administrators read about attributes of people. Part of the words in console.ts.

import { lazy } from '../languages/lazy.ts';
import { attributeLabels } from './field-labels.ts';

const list = lazy(() => new Intl.ListFormat('en'));

export const attributeMessages = {
  title: 'Attributes',
  lead: 'What you know about people besides their name and email address, such as their department. Applications see an attribute only if you add it to their claims.',
  fields: attributeLabels,
  none: 'No attributes yet.',
  create: 'Create attribute',
  edit: 'Edit attribute',
  save: 'Save attribute',
  usedBy: 'Used by',
  unused: 'No applications',
  delete: 'Delete attribute',
  deleteHint: 'Deletes the attribute and everyone’s values. It can’t be undone.',
  deleteTitle: (label: string) => `Delete ${label}?`,
  deleteUsed: (apps: readonly string[]) =>
    `Deletes the attribute and everyone’s values. These applications use it and lose those claims: ${list().format(apps)}. It can’t be undone.`,
  openTitle: (label: string) => `Let people edit ${label}?`,
  openText: (apps: readonly string[]) =>
    `These applications rely on it: ${list().format(apps)}. From now on they get what people enter themselves, and consent pages say so.`,
  openConfirm: 'Let people edit it',
  /** On a person's page. */
  section: 'Attributes',
  saveValues: 'Save attributes',
  notices: {
    'attribute-saved': 'Attribute saved.',
    'attributes-saved': 'Attributes saved.',
  },
};
