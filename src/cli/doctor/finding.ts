// What `latchkey doctor` says about one thing that it has checked.

export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly about: string;
  readonly text: string;
}

const finding =
  (state: Finding['state']) =>
  (about: string, text: string): Finding => ({ state, about, text });

export const ok = finding('ok');
export const warning = finding('warning');
export const problem = finding('problem');
