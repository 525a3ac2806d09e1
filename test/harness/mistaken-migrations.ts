// Migrations with a mistake, each of which some rows of a store don't suit, and what names those rows.

/** What these rows need: `user-b` has a name that isn't JSON, and shares its `given_name` with `user-c`. */
export const spoil = `UPDATE users SET name = '{"x":1}', given_name = id;
  UPDATE users SET name = 'Bob', given_name = 'Same' WHERE id = 'user-b';
  UPDATE users SET given_name = 'Same' WHERE id = 'user-c'`;

/** `parsed` is the engine's expression that fails on a name that isn't JSON. */
export const mistakes = (parsed: string): readonly (readonly [name: string, sql: string, problem: RegExp])[] => [
  [
    'a value that one row lacks',
    `ALTER TABLE users ADD COLUMN rehearsed TEXT;
UPDATE users SET rehearsed = ${parsed} WHERE name <> '' /* in batches of users.id */;`,
    /It fails on the row of users with id "user-b"\.$/,
  ],
  [
    'a value that two rows share',
    'CREATE UNIQUE INDEX users_rehearsed ON users (given_name);',
    /It fails on the rows of users with id "user-b" and with id "user-c"\.$/,
  ],
  ['a table that nobody has', 'UPDATE nobody SET x = 1;', /nobody[^.]*\.?/],
];
