// A log whose lines a test can look at.

export interface LoggedLine {
  readonly level: string;
  readonly facts: object;
  readonly text: string;
}

export function keptLog() {
  const lines: LoggedLine[] = [];
  const logger = (level: string) => (facts: object, text: string) => void lines.push({ level, facts, text });
  return { lines, log: { info: logger('info'), warn: logger('warn'), error: logger('error') } };
}
