// Imported before a suite, makes its services run on PostgreSQL.

process.env.TEST_ENGINE = 'postgres';
