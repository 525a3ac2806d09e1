// What administrators read about the claims of applications. Part of the console's catalogue in console.ts.

export const claimMessages = {
  title: 'Claims',
  lead: 'What the application receives about people besides their profile and email address, such as their role. People see it before they agree, and are asked again when you add or change a claim.',
  none: 'No claims. The application doesn’t see groups or attributes.',
  add: 'Add claim',
  edit: 'Edit claim',
  remove: 'Remove claim',
  save: 'Save claim',
  preview: 'Preview',
  inIdToken: 'ID token',
  selfAsserted: 'Entered by people',
  label: 'Label',
  source: 'Source',
  newTitle: (app: string) => `Add a claim to ${app}`,
  editTitle: (claim: string) => `Claim ${claim}`,
  chooseSource: 'Where does its value come from?',
  sources: {
    groups: { name: 'Groups', about: 'The names of the groups that someone is in, as a list.' },
    attribute: { name: 'Attribute', about: 'The value of one of their attributes, such as a department.' },
    value: { name: 'Fixed value', about: 'The same text for everyone.' },
    'has-group': { name: 'Member of a group', about: 'true or false.' },
    'if-group': {
      name: 'One value by group',
      about: 'The value of the first group that someone is in, such as a role.',
    },
    'map-groups': { name: 'Values by group', about: 'The values of all groups that someone is in, as a list.' },
  },
  fields: {
    claim: { label: 'Name', hint: 'What the application looks for, such as role.' },
    label: { label: 'Label (optional)', hint: 'What people see instead of the name.' },
    idToken: 'In the ID token as well, for applications that don’t ask userinfo',
    groups: {
      label: 'Groups (optional)',
      hint: 'Leave it empty for all groups; with a list, the application sees these only.',
    },
    attribute: { label: 'Attribute' },
    attributeByPeople: (name: string) => `${name} (people can edit it)`,
    noAttributes: 'There are no attributes yet.',
    selfAsserted:
      'Use it although people can edit it. They could enter anything, so don’t decide by it what someone may do.',
    value: { label: 'Value' },
    group: { label: 'Group' },
    mapGroup: (number: number) => `Group ${number}`,
    mapValue: (number: number) => `Value ${number}`,
    mapHint: 'The first group that matches counts.',
    else: { label: 'Otherwise (optional)', hint: 'The value for everyone else. Without it, they have no such claim.' },
    moreRows: 'Add rows',
  },

  previewTitle: (app: string) => `What ${app} gets`,
  previewLead:
    'What the application would receive if the person approved every scope. Each preview is recorded as an event, because it shows personal data.',
  pick: 'Choose a person',
  previewOf: (name: string) => `Preview for ${name}`,
  userinfo: 'Userinfo',
  idToken: 'ID token',
  claim: 'Claim',
  value: 'Value',
  enteredByYou: 'entered by you',
  dropped: 'The claims for the ID token come to more than 4 KB, so all of them are left out of it.',

  notices: {
    'claim-saved': 'Claim saved.',
    'claim-removed': 'Claim removed.',
  },
};
