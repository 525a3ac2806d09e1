// Spans for what a request waits for: reads and writes of the store, and password checks.

import type { Passwords } from '../../platform/passwords/passwords.ts';
import type { Tracing } from '../../platform/tracing.ts';
import type { Driver } from '../../storage/driver.ts';

interface Described {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const operationForm = /^\s*(?:WITH\b[\s\S]*?\)\s*)?(SELECT|INSERT|UPDATE|DELETE)\b/i;

/** Texts have parameters in place of values, so they contain nothing of a request. */
export function tracedDriver(driver: Driver, tracing: Tracing, system: 'sqlite' | 'postgresql'): Driver {
  const known = new Map<string, Described>();
  const describe = (sql: string): Described => {
    const found = known.get(sql);
    if (found !== undefined) return found;
    const operation = operationForm.exec(sql)?.[1]?.toUpperCase() ?? 'QUERY';
    const attributes = { 'db.system.name': system, 'db.operation.name': operation, 'db.query.text': sql };
    const described = { name: operation, attributes };
    known.set(sql, described);
    return described;
  };
  return {
    ...driver,
    read(sql, params, anew) {
      const { name, attributes } = describe(sql);
      return tracing.inSpan(name, 'client', attributes, () => driver.read(sql, params, anew));
    },
    write(statements) {
      const { name, attributes } = describe(statements[0]?.sql ?? '');
      const size = statements.length > 1 ? { 'db.operation.batch.size': statements.length } : {};
      return tracing.inSpan(name, 'client', { ...attributes, ...size }, () => driver.write(statements));
    },
  };
}

export function tracedPasswords(passwords: Passwords, tracing: Tracing): Passwords {
  return {
    ...passwords,
    hash: (...args) => tracing.inSpan('hash password', 'internal', {}, () => passwords.hash(...args)),
    verify: (...args) => tracing.inSpan('check password', 'internal', {}, () => passwords.verify(...args)),
  };
}
