// What the doctor finds.

export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly about: string;
  readonly text: string;
}

export function ok(about: string, text: string): Finding {
  return { state: 'ok', about, text };
}

export function warning(about: string, text: string): Finding {
  return { state: 'warning', about, text };
}

export function problem(about: string, text: string): Finding {
  return { state: 'problem', about, text };
}
