// Imported after a suite, removes its PostgreSQL when the suite has stopped its services.

import { after } from 'node:test';
import { removeSharedPostgres } from './postgres.ts';

after(removeSharedPostgres);
