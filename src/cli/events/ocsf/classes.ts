// The classes of OCSF 1.5.0 that events belong to, with the activities of each: https://schema.ocsf.io/1.5.0

export const schemaVersion = '1.5.0';

export const categories = { iam: 'Identity & Access Management', application: 'Application Activity' } as const;

interface ClassFacts {
  readonly uid: number;
  readonly name: string;
  readonly category: keyof typeof categories;
  readonly activities: Readonly<Record<string, number>>;
}

export const classes = {
  account_change: {
    uid: 3001,
    name: 'Account Change',
    category: 'iam',
    activities: {
      Create: 1,
      Enable: 2,
      'Password Change': 3,
      'Password Reset': 4,
      Disable: 5,
      Delete: 6,
      'MFA Factor Enable': 10,
      'MFA Factor Disable': 11,
      Other: 99,
    },
  },
  authentication: {
    uid: 3002,
    name: 'Authentication',
    category: 'iam',
    activities: { Logon: 1, Logoff: 2, Preauth: 6 },
  },
  entity_management: {
    uid: 3004,
    name: 'Entity Management',
    category: 'iam',
    activities: { Create: 1, Update: 3, Delete: 4, Enable: 8, Disable: 9 },
  },
  user_access: {
    uid: 3005,
    name: 'User Access Management',
    category: 'iam',
    activities: { 'Assign Privileges': 1, 'Revoke Privileges': 2 },
  },
  group_management: {
    uid: 3006,
    name: 'Group Management',
    category: 'iam',
    activities: {
      'Assign Privileges': 1,
      'Revoke Privileges': 2,
      'Add User': 3,
      'Remove User': 4,
      Delete: 5,
      Create: 6,
    },
  },
  api_activity: {
    uid: 6003,
    name: 'API Activity',
    category: 'application',
    activities: { Create: 1, Read: 2, Delete: 4, Other: 99 },
  },
  application_error: {
    uid: 6008,
    name: 'Application Error',
    category: 'application',
    activities: { 'General Error': 1 },
  },
} as const satisfies Record<string, ClassFacts>;

export type ClassName = keyof typeof classes;
export type ActivityName<Class extends ClassName> = keyof (typeof classes)[Class]['activities'];

/** A class and one of its activities. */
export type Classification = {
  [Class in ClassName]: readonly [Class, ActivityName<Class>];
}[ClassName];
