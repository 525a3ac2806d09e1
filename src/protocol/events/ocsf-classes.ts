// The classes of OCSF 1.5.0 that events belong to, with the activities of each (https://schema.ocsf.io/1.5.0).

export const schemaVersion = '1.5.0';

/** By the first digit of a class. */
export const categories: Readonly<Record<number, string>> = {
  3: 'Identity & Access Management',
  6: 'Application Activity',
};

export const classes = {
  account_change: {
    uid: 3001,
    name: 'Account Change',
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
    activities: { Logon: 1, Logoff: 2, Preauth: 6 },
  },
  entity_management: {
    uid: 3004,
    name: 'Entity Management',
    activities: { Create: 1, Update: 3, Delete: 4, Enable: 8, Disable: 9 },
  },
  user_access: {
    uid: 3005,
    name: 'User Access Management',
    activities: { 'Assign Privileges': 1, 'Revoke Privileges': 2 },
  },
  group_management: {
    uid: 3006,
    name: 'Group Management',
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
    activities: { Create: 1, Read: 2, Delete: 4, Other: 99 },
  },
  application_error: {
    uid: 6008,
    name: 'Application Error',
    activities: { 'General Error': 1 },
  },
} as const;

export type ClassName = keyof typeof classes;

/** A class and one of its activities. */
export type Classification = {
  [Class in ClassName]: readonly [Class, keyof (typeof classes)[Class]['activities']];
}[ClassName];
